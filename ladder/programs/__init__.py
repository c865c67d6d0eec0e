"""Bots, their members, and their immutable versions."""
