"""Answers hello with rubbish."""

print("hello yourself", flush=True)
input()
