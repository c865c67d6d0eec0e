"""How strong each version is: one fit a season, and the standings it yields."""
