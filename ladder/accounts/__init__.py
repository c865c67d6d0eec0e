"""People: users, invitations, API tokens."""
