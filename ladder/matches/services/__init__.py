"""Writes of the matches app, by noun: ladders, entries, bundles, workers, claims, reports, reaper."""
