"""The record of a match: all that is needed to prove it, and nothing else.

Chance outcomes stand among the actions, so a replay needs no generator; the seed stands beside them, so
that anyone can check that they are what the seed gives. The same bots and seed give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine.chance import Dealer, commit
from engine.core import CHANCE, OVER, EventSink, Game, State, best_first
from engine.errors import IllegalMoveError, OptionError, RecordError
from engine.record_format import FORMAT, Fault, Record, RecordSeat, canonical, digest_of
from engine.registry import GAMES, make_game

__all__ = [
    "FORMAT",
    "Fault",
    "Record",
    "RecordSeat",
    "build_record",
    "canonical",
    "digest_of",
    "final_ranks",
    "game_of",
    "lost_at",
    "ranks_with_faults",
    "replay",
    "verify",
]

STRIKES: Final = 3
"""Soft faults that lose a seat its match."""


def build_record(
    game: Game,
    *,
    seats: Sequence[RecordSeat],
    clock: Mapping[str, int],
    seed: str,
    actions: Iterable[int],
    faults: Iterable[Fault],
    state: State,
) -> Record:
    """The record of a match that has just ended in `state`."""
    faults = tuple(faults)
    record = Record(
        format=FORMAT,
        game=game.name,
        rules_version=game.rules_version,
        mode=game.mode,
        options=game.options,
        clock=dict(clock),
        seats=tuple(seats),
        seed=seed,
        commitment=commit(seed),
        actions=tuple(actions),
        faults=faults,
        scores=state.scores(),
        ranks=final_ranks(game, state, faults),
        digest="",
    )
    return replace(record, digest=digest_of(record))


def final_ranks(game: Game, state: State, faults: Sequence[Fault]) -> tuple[int, ...]:
    """Ranks with the faults in them; a co-operative team plays on without a lost seat, unharmed."""
    return state.ranks() if game.cooperative else ranks_with_faults(state.ranks(), faults)


def lost_at(faults: Iterable[Fault], seat: int) -> int | None:
    """The ply from which `seat` is played by default_move: its first hard or third soft fault."""
    own = sorted((fault for fault in faults if fault.seat == seat), key=lambda fault: fault.ply)
    for strikes, fault in enumerate(own, start=1):
        if fault.hard or strikes == STRIKES:
            return fault.ply
    return None


def ranks_with_faults(ranks: Sequence[int], faults: Sequence[Fault]) -> tuple[int, ...]:
    """Lost seats below all others, the earliest loss lowest; losses at the same ply share a rank."""
    keys = []
    for seat, rank in enumerate(ranks):
        lost = lost_at(faults, seat)
        keys.append((0, rank) if lost is None else (1, -lost))
    return best_first(keys)


def game_of(record: Record) -> Game:
    """The game that a record is of. Raises RecordError: unknown_game, rules_version or options."""
    if record.game not in GAMES:
        raise RecordError("unknown_game", f"this release knows no game {record.game!r:.60}")
    known = GAMES[record.game].rules_version
    if record.rules_version != known:
        raise RecordError(
            "rules_version",
            f"the record is of rules version {record.rules_version} of {record.game}; "
            f"this release plays version {known}",
        )
    try:
        game = make_game(record.game, len(record.seats), record.mode, record.options)
    except OptionError as error:
        raise RecordError("options", f"no such match can be played: {error}") from None
    whole = {name: value for name, value in game.options.items() if _must_stand(name, game, record)}
    if game.mode != record.mode or canonical(whole) != canonical(dict(record.options)):
        raise RecordError(
            "options",
            "mode and options must be written in full: "
            f"mode {game.mode!r}, options {canonical(dict(game.options))}",
        )
    return game


def _must_stand(option: str, game: Game, record: Record) -> bool:
    return option in record.options or option not in game.later_options


def replay(record: Record, emit: EventSink | None = None) -> State:
    """Play the actions through the checked door and return where they lead.

    Raises RecordError: illegal_action, or what game_of raises.
    """
    game = game_of(record)
    state: State = game.initial_state()
    for ply, action in enumerate(record.actions):
        if state.actor() == OVER:
            raise RecordError("trailing_actions", f"the match is over before ply {ply}, but actions follow")
        _play(game, state, action, ply, emit)
    return state


def _play(game: Game, state: State, action: int, ply: int, emit: EventSink | None = None) -> None:
    try:
        game.play(state, action, emit)
    except IllegalMoveError:
        who = "chance" if state.actor() == CHANCE else f"seat {state.actor()}"
        raise RecordError("illegal_action", f"ply {ply}: {who} cannot do action {action}") from None


def verify(record: Record) -> State:
    """Prove a record from nothing but itself and return the final state.

    Raises RecordError, whose code says what is wrong and whose sentence says where.
    """
    if record.digest != digest_of(record):
        raise RecordError("digest", "the digest is not that of the record: something was changed")
    if record.commitment != commit(record.seed):
        raise RecordError("commitment", "the commitment is not that of the seed")
    game = game_of(record)
    state = _verify_actions(record, game)
    if list(record.scores) != list(state.scores()):
        raise RecordError("scores", f"the scores are {list(state.scores())}, not {list(record.scores)}")
    ranks = final_ranks(game, state, record.faults)
    if record.ranks != ranks:
        raise RecordError("ranks", f"the ranks are {list(ranks)}, not {list(record.ranks)}")
    return state


def _verify_actions(record: Record, game: Game) -> State:
    """Chance outcomes, legality, end, and that faults led where they must."""
    faults = _FaultCheck(record)
    dealer = Dealer(record.seed)
    state: State = game.initial_state()
    for ply, action in enumerate(record.actions):
        actor = state.actor()
        if actor == OVER:
            raise RecordError("trailing_actions", f"the match is over before ply {ply}, but actions follow")
        if actor == CHANCE:
            stream = state.chance_stream()
            drawn = dealer.choose(state)
            if action != drawn:
                raise RecordError("chance", f"ply {ply}: the seed gives {drawn} on {stream!r}, not {action}")
        else:
            faults.check(game, state, ply, action)
        _play(game, state, action, ply)
    if state.actor() != OVER:
        raise RecordError("unfinished", f"after ply {len(record.actions) - 1} the match is not over")
    faults.check_all_met()
    return state


class _FaultCheck:
    """Follows a match and holds each fault against the decision that it concerns."""

    def __init__(self, record: Record) -> None:
        self._seats = len(record.seats)
        self._lost = {seat: lost_at(record.faults, seat) for seat in range(self._seats)}
        self._open: dict[tuple[int, int], Fault] = {}
        for fault in record.faults:
            self._add(fault, len(record.actions))

    def _add(self, fault: Fault, plies: int) -> None:
        where = f"fault {fault.code!r} of seat {fault.seat} at ply {fault.ply}"
        if not 0 <= fault.seat < self._seats:
            raise RecordError("faults", f"{where}: there is no such seat")
        if not 0 <= fault.ply < plies:
            raise RecordError("faults", f"{where}: there is no such ply")
        if (fault.seat, fault.ply) in self._open:
            raise RecordError("faults", f"{where}: a decision has one fault at most")
        lost = self._lost[fault.seat]
        if lost is not None and fault.ply > lost:
            raise RecordError("faults", f"{where}: the seat was lost at ply {lost} and not asked any more")
        self._open[fault.seat, fault.ply] = fault

    def check(self, game: Game, state: State, ply: int, action: int) -> None:
        """A decision of a seat: after its loss, and where it was at fault, it is the default move."""
        seat = state.actor()
        at_fault = self._open.pop((seat, ply), None) is not None
        lost = self._lost[seat]
        if not at_fault and (lost is None or ply < lost):
            return
        expected = game.default_move(state)
        if action != expected:
            raise RecordError(
                "faults",
                f"ply {ply}: a fault of seat {seat} asks for the default move {expected}, not {action}",
            )

    def check_all_met(self) -> None:
        for fault in self._open.values():
            if not (fault.hard and fault.ply == 0):
                raise RecordError(
                    "faults", f"fault {fault.code!r}: seat {fault.seat} has no decision at ply {fault.ply}"
                )
