"""Runs a stranger's program where it can do no harm, or refuses to run it.

`policy` and `bubblewrap` are pure and say what a program may see and have; `launcher` starts one;
`probe` says which layers hold here. `bare` starts programs without any of it, for an author's own bots.
"""
