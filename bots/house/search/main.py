"""Deals out what it cannot see, plays on from there, and takes the move that comes out best.

One program for all games: `looking.py` looks ahead with the engine, `spending.py` shares out the clock, and
a file for each game that has one says what is sensible there. It thinks until its time is up, so the same
match played again may go another way.
"""

import sys
import traceback

from looking import Searcher
from sdk import run
from spending import Purse

table = {}


def start(context):
    """Everything that no clock counts: the rules, and a few matches with oneself to learn their length."""
    try:
        table["searcher"] = Searcher(
            context.game, context.seats, context.seat, context.mode, context.options, context.rules_version
        )
        table["purse"] = Purse(context.clock, table["searcher"].questions)
    except Exception:  # noqa: BLE001 a fault of ours, whatever it is, must not lose the match
        give_up(context)


def choose(observation, legal, context):
    ids = [choice["id"] for choice in legal]
    if len(ids) == 1 or "searcher" not in table:
        return ids[0]
    try:
        searcher, purse = table["searcher"], table["purse"]
        spending = purse.open(context.bank_ms)
        return searcher.choose(observation, ids, context.random, spending)
    except Exception:  # noqa: BLE001 a fault of ours, whatever it is, must not lose the match
        give_up(context)
        return ids[0]


def give_up(context):
    """Say so in the log; where it happens the first move is taken."""
    sys.stderr.write(f"turn {context.turn}: no look ahead\n{traceback.format_exc()}")


run(choose, start=start)
