"""What strangers' programs would try, each with what must become of it: run by the test suite, and by
`haunt sandbox --attack` on any machine.

A row of a file in `programs/` is a bot that is played in a match; a module beside this one holds what is
no bot: sources for compilers, uploads, two bots that talk, a second worker. runner.py lists them all.
"""
