"""Tournaments: entered, frozen, paired, played and ranked without anybody at hand."""
