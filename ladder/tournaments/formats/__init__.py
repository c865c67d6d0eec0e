"""Formats as pure functions: (terms, entrants, outcomes) -> the next tables, the standings.

Nothing here knows a database or a clock. What happened is given as `Outcome`s, what is to be played comes
back as `TableSpec`s; the same facts give the same answer, in whatever order the entrants are named.
"""
