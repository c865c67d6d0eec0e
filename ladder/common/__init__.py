"""What every app of the ladder shares: errors, permissions, pages, the queue."""
