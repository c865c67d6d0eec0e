"""Ladders, bundles, matches, attempts, records, workers, and who may see what."""
