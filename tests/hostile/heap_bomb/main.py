"""Takes memory without end."""

from sdk import run


def attack():
    taken = []
    while True:
        taken.append(bytearray(16 << 20))


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
