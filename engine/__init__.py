"""The rules of the games and of a match. Python's standard library only."""
