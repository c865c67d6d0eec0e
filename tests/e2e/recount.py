"""A double elimination counted again, from what the API tells everybody and with no code of the ladder's.

Matches' ranks give the points of each table, points and play-offs its order, its order who goes on and who
falls, and the last table of each its place in the end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

Bot = str
_DIGITS = 9


@dataclass
class Table:
    """One table as it must have ended."""

    key: str
    round: int
    advance: int
    order: list[Bot]
    """Best first."""
    points: dict[Bot, float]
    forfeits: set[Bot]
    bundles: list[list[dict[str, Any]]] = field(default_factory=list)
    """Its matches, bundle by bundle, in the order in which they were laid."""

    def went_on(self) -> list[Bot]:
        return [bot for bot in self.order[: self.advance] if bot not in self.forfeits]


class Recount:
    """One tournament, from its JSON. What is wrong fails an assertion that names the table."""

    def __init__(
        self,
        tournament: Mapping[str, Any],
        bracket: Mapping[str, Any],
        entries: Sequence[Mapping[str, Any]],
        matches: Iterable[dict[str, Any]],
    ) -> None:
        assert tournament["tie_breaks"] == ["bundle_difference", "seeding", "lot"]
        self.agreed = int(tournament["bundles"])
        self.seeding: dict[Bot, int] = {one["bot"]: one["seeding"] for one in entries}
        self.matches = {one["id"]: one for one in matches}
        self.nodes = [node for node in bracket["nodes"] if node["status"] == "decided"]
        self.nodes.sort(key=lambda node: (node["round"], node["number"]))
        self.tables: dict[str, Table] = {}
        for node in self.nodes:
            self.tables[node["key"]] = self._count(node)

    def _count(self, node: Mapping[str, Any]) -> Table:
        """One table, once those of earlier rounds are counted."""
        bundles = self._bundles(node)
        good = [matches for matches in bundles if all(one["status"] == "finished" for one in matches)]
        agreed, play_offs = good[: self.agreed], good[self.agreed :]
        bots = [slot["bot"] for slot in node["slots"] if slot["bot"] is not None]
        shares = [_shares(matches) for matches in agreed]
        extra = [_shares(matches) for matches in play_offs]
        faultless = {
            seat["bot"]
            for matches in agreed
            for one in matches
            for seat in one["seats"]
            if not seat["lost_by_fault"]
        }
        forfeits = set(bots) - faultless
        points = {bot: 0.0 if bot in forfeits else fmean(share[bot] for share in shares) for bot in bots}
        written = self._written(bots)
        order = sorted(
            bots,
            key=lambda bot: (
                bot in forfeits,
                -points[bot],
                [-one.get(bot, 0.0) for one in extra],
                written.index(bot),
            ),
        )
        return Table(node["key"], node["round"], node["advance"], order, points, forfeits, bundles)

    def _bundles(self, node: Mapping[str, Any]) -> list[list[dict[str, Any]]]:
        by_bundle: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for match in node["matches"]:
            by_bundle[self.matches[match]["bundle"]].append(self.matches[match])
        for matches in by_bundle.values():
            size = len(matches[0]["seats"])
            assert sorted(one["number"] for one in matches) == list(range(size)), "a seating was left out"
        return sorted(by_bundle.values(), key=lambda matches: str(matches[0]["created_at"]))

    def _written(self, bots: Sequence[Bot]) -> list[Bot]:
        """Who goes before whom where points and play-offs say nothing: by the tables they came through."""
        before = [table for table in self.tables.values() if set(bots) & set(table.order)]
        return sorted(bots, key=lambda bot: self._merits(bot, before))

    def _merits(self, bot: Bot, tables: Iterable[Table]) -> tuple[float, float, int]:
        """Points, then opponents outscored less those who outscored it, then the seeding; less is better."""
        mine = [table for table in tables if bot in table.points]
        points = sum(table.points[bot] for table in mine)
        rivals = [
            table.points[bot] - theirs
            for table in mine
            for other, theirs in table.points.items()
            if other != bot
        ]
        outscored = sum(gap > 0 for gap in rivals) - sum(gap < 0 for gap in rivals)
        return -round(points, _DIGITS), -outscored, self.seeding[bot]

    def check_tables(self) -> None:
        """Points and order at each table are those that its matches give."""
        for node in self.nodes:
            table = self.tables[node["key"]]
            slots = sorted((slot for slot in node["slots"] if slot["bot"]), key=lambda slot: slot["place"])
            assert [slot["bot"] for slot in slots] == table.order, node["key"]
            for slot in slots:
                assert abs(slot["points"] - table.points[slot["bot"]]) < 1e-9, node["key"]
                assert slot["is_forfeit"] == (slot["bot"] in table.forfeits), node["key"]

    def check_ways(self) -> None:
        """Everybody came from where its chair says, and nobody played on after a second defeat."""
        by_seeding = {seeding: bot for bot, seeding in self.seeding.items()}
        for node in self.nodes:
            for slot in node["slots"]:
                source = slot["comes_from"]
                if source["seeding"] is not None:
                    assert slot["bot"] == by_seeding[source["seeding"]], node["key"]
                else:
                    before = self.tables[source["table"]]
                    assert slot["bot"] == before.order[source["place"] - 1], node["key"]
        for bot in self.seeding:
            defeats = [bot not in table.went_on() for table in self.way(bot)]
            if bot == self.champion():
                assert sum(defeats) < 2, f"{bot} won after two defeats"
            else:
                assert sum(defeats) == 2, f"{bot} was defeated {sum(defeats)} times"
                assert defeats[-1], f"{bot} was out and played on"

    def way(self, bot: Bot) -> list[Table]:
        """The tables at which it sat, in order."""
        return [table for table in self.tables.values() if bot in table.order]

    def champion(self) -> Bot:
        """Who won the last table of all."""
        return list(self.tables.values())[-1].order[0]

    def places(self) -> list[Bot]:
        """Everybody, best first: by the last table, the place there, and then by merits."""

        def key(bot: Bot) -> tuple[object, ...]:
            last = self.way(bot)[-1]
            return (
                bot != self.champion(),
                -last.round,
                last.order.index(bot),
                *self._merits(bot, self.tables.values()),
            )

        return sorted(self.seeding, key=key)


def _shares(matches: Sequence[Mapping[str, Any]]) -> dict[Bot, float]:
    """By bot, the share of its opponents that it placed before, a shared place being half; over a bundle."""
    shares: dict[Bot, list[float]] = defaultdict(list)
    for match in matches:
        seats = match["seats"]
        for seat in seats:
            behind = sum(other["rank"] > seat["rank"] for other in seats)
            beside = sum(other["rank"] == seat["rank"] for other in seats) - 1
            shares[seat["bot"]].append((behind + beside / 2) / (len(seats) - 1))
    return {bot: fmean(own) for bot, own in shares.items()}
