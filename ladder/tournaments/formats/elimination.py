"""Playing through a bracket: who sits where by now, which tables are ready, and who came how far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ladder.tournaments.formats.brackets import Bracket, Node, Source
from ladder.tournaments.formats.terms import EntrantId, Outcome, Step, TableSpec


def step(bracket: Bracket, seats: Mapping[Source, EntrantId], outcomes: Iterable[Outcome]) -> Step:
    """What can be played now. `seats` says who comes from each seeding, or group place.

    A table at which fewer than two turned up is a walkover: given as a table of one, or of nobody, for the
    caller to decide without a match.
    """
    known = {outcome.key: outcome for outcome in outcomes}
    ready = []
    undecided = 0
    for node in bracket.nodes:
        if node.key in known or _is_spared(node, bracket, known):
            continue
        undecided += 1
        if all(source in seats or source.table in known for source in node.sources):
            sitting = tuple(occupants(node, seats, known))
            ready.append(TableSpec(node.key, node.round, node.number, sitting, cut=node.advance))
    return Step(tuple(ready), is_over=undecided == 0)


def occupants(node: Node, seats: Mapping[Source, EntrantId], known: Mapping[str, Outcome]) -> list[EntrantId]:
    """Who has come to a table; fewer than its chairs where somebody forfeited before."""
    found = [occupant(source, seats, known) for source in node.sources]
    return [entrant for entrant in found if entrant is not None]


def occupant(
    source: Source, seats: Mapping[Source, EntrantId], known: Mapping[str, Outcome]
) -> EntrantId | None:
    """Nobody comes from a place that was forfeited."""
    if source in seats:
        return seats[source]
    outcome = known.get(source.table or "")
    if outcome is None or source.place is None or source.place > len(outcome.order):
        return None
    entrant = outcome.order[source.place - 1]
    return None if entrant in outcome.forfeits else entrant


def _is_spared(node: Node, bracket: Bracket, known: Mapping[str, Outcome]) -> bool:
    """A second final that is not needed: the winners' side won the first, or only one turned up."""
    if not node.only_if_upset:
        return False
    first = known.get(node.sources[0].table or "")
    if first is None:
        return False
    if len([one for one in first.order if one not in first.forfeits]) < 2:
        return True
    best_of_winners = bracket.node(first.key).sources[0]
    champion = known.get(best_of_winners.table or "")
    return champion is not None and bool(champion.order) and champion.order[0] == first.order[0]


def reached(
    bracket: Bracket, entrants: Sequence[EntrantId], outcomes: Sequence[Outcome]
) -> dict[EntrantId, float]:
    """How far everybody came: the later a round and the better the place in it, the greater.

    An entry is ranked by the last table that it sat at; the winner of the last table of all stands first.
    """
    nodes = {node.key: node for node in bracket.nodes}
    far: dict[EntrantId, tuple[int, float]] = dict.fromkeys(entrants, (0, 0.0))
    for outcome in outcomes:
        node = nodes.get(outcome.key)
        if node is None:
            continue
        for place, entrant in enumerate(outcome.order, 1):
            on = place <= node.advance and entrant not in outcome.forfeits
            far[entrant] = max(far.get(entrant, (0, 0.0)), (node.round, _share(place, on)))
    if (winner := champion(bracket, outcomes)) is not None:
        far[winner] = (len(bracket.nodes) + 1, 1.0)
    return {entrant: round_number + share for entrant, (round_number, share) in far.items()}


def champion(bracket: Bracket, outcomes: Sequence[Outcome]) -> EntrantId | None:
    """Who won the last table of all, once it is decided; where all forfeited it, the first in its order."""
    known = {outcome.key: outcome for outcome in outcomes}
    last = next((node for node in reversed(bracket.nodes) if not _is_spared(node, bracket, known)), None)
    if last is None or last.key not in known or not known[last.key].order:
        return None
    return known[last.key].order[0]


def _share(place: int, on: bool) -> float:
    """Within a round: who goes on before who does not, and these by their place."""
    return 0.9 if on else 0.5 - place / 1000
