"""Peers that need our own data: run in the bench's virtual environment, fed by a pipe."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ladder.tournaments.formats import swiss
from ladder.tournaments.formats.swiss import Player

_PYTHON: Final = Path(__file__).resolve().parent.parent.parent / "var" / "bench-venv" / "bin" / "python"
_MATCH: Final = """
import json, sys, time
import networkx
edges = json.load(sys.stdin)
began = time.perf_counter()
graph = networkx.Graph()
graph.add_weighted_edges_from(edges)
networkx.max_weight_matching(graph, maxcardinality=True)
print(time.perf_counter() - began)
"""


def networkx_round_s(players: Sequence[Player]) -> float:
    """Seconds in which networkx matches the edges that our pairing would give it."""
    ranked = sorted(players, key=lambda player: (-player.points, player.seeding))
    costs = swiss.edges(ranked, swiss.NEAREST, rematches=False)
    top = max(costs.values()) + 1
    edges = [[a, b, top - cost] for (a, b), cost in costs.items()]
    done = subprocess.run(
        [_PYTHON, "-c", _MATCH], input=json.dumps(edges), capture_output=True, text=True, check=True
    )
    return float(done.stdout)
