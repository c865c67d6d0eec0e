"""A bot that plays the first legal move. Make it better: everything that you may know is in `observation`.

`print` writes to the log that you read beside the replay, never to the game.
"""

from sdk import run


def choose(observation, legal, context):
    """One of the legal moves: its id, or the move itself."""
    return legal[0]["id"]


run(choose)
