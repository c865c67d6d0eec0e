"""Writes of tournaments: plans, entries, the freeze, tables, the clock, series."""
