"""Two bots that do the same work for every question, whatever it is: one in Python, one in C."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bots.job import Clock
from bots.program import read_path
from tests.bench.matches import match_of
from workers.cli.local import LocalBot
from workers.cli.table import prepared
from workers.referee import SeatProgram
from workers.sandbox.launcher import SandboxLauncher

KITS = Path(__file__).resolve().parent.parent.parent / "bots" / "kits"
LANGUAGES = ("python", "c")
FIRST_GUESS = {"python": 50_000, "c": 2_000_000}
"""Steps of work: a few milliseconds of most machines, from which the right number is found."""
AMPLE = Clock(bank_ms=60_000, increment_ms=1_000)

PYTHON = """
from sdk import run


def choose(observation, legal, context):
    total = 0
    for step in range({steps}):
        total ^= step * 31
    return legal[0]["id"]


run(choose)
"""

C = """
#include "haunt.h"

static long choose(const char *observation, const char *legal, struct match *match) {{
    (void)observation;
    (void)match;
    volatile unsigned long total = 0;
    for (unsigned long step = 0; step < {steps}ul; step++)
        total ^= step * 31;
    return json_long(json_member(json_item(legal, 0), "id"), 0);
}}

int main(void) {{
    return play(choose);
}}
"""


def working_bots(clock: Clock, share: float, folder: Path, launcher: SandboxLauncher) -> list[SeatProgram]:
    """Both, laid out below `folder`, with work that uses this share of the clock up in a match."""
    with tempfile.TemporaryDirectory(prefix="haunt-bench-") as trial:
        guessed = _laid_out(FIRST_GUESS, Path(trial), launcher)
        outcome = match_of(guessed, "bench/trial", launcher, clock=AMPLE)
    if outcome.record is None or outcome.record.faults:
        raise RuntimeError(f"the trial match went wrong: {outcome.void_reason or outcome.record}")
    steps = {}
    for language, seat in zip(LANGUAGES, outcome.seats, strict=True):
        spent_us = [turn.cpu_us for turn in seat.turns]
        given_us = 1000 * (clock.bank_ms / len(spent_us) + clock.increment_ms)
        steps[language] = round(FIRST_GUESS[language] * share * given_us / statistics.median(spent_us))
    return _laid_out(steps, folder, launcher)


def _laid_out(steps: Mapping[str, int], folder: Path, launcher: SandboxLauncher) -> list[SeatProgram]:
    bots = []
    for language, name, source in (("python", "main.py", PYTHON), ("c", "main.c", C)):
        kit = read_path(KITS / language)
        text = source.format(steps=steps[language]).encode("ascii")
        bots.append(LocalBot(language, replace(kit, files={**kit.files, name: text})))
    return prepared(bots, launcher, folder)
