"""The attacks on a worker of an ordinary user: fewer layers, and the same verdicts or ones that say so."""

from __future__ import annotations

import json
import os

import pytest

from tests.workers.nobody import as_nobody

pytestmark = pytest.mark.sandbox

NAMES = {
    "fork_bomb", "heap_bomb", "heap_bomb_in_children", "ponders", "stdout_flood", "reads_files", "network",
    "privileges", "kernel", "signals", "marks", "load", "stalls_host_in_its_turn", "own: leaves a link",
}  # fmt: skip


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become somebody else: sudo make test")
def test_attacks_on_an_ordinary_user_are_contained() -> None:
    said = as_nobody(
        "import json\n"
        "from workers.attacks.attack import Bench\n"
        "from workers.attacks.runner import as_json, attempt, catalogue\n"
        "from workers.sandbox.launcher import SandboxLauncher\n"
        f"names, bench = {NAMES!r}, Bench(SandboxLauncher())\n"
        "results = [attempt(attack, bench) for attack in catalogue() if attack.name in names]\n"
        "print(json.dumps([as_json(result) for result in results]))\n"
    )
    results = {result["name"]: result for result in json.loads(said)}
    assert set(results) == NAMES
    load = results.pop("load")
    assert load["verdict"] == "skipped"
    assert "needs the freezer" in load["reason"]
    assert {name: (one["verdict"], one["reason"]) for name, one in results.items()} == dict.fromkeys(
        results, ("contained", "")
    )
    assert {one["memory"] for one in results.values()} == {None}
