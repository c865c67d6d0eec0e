"""What tests of the ladder begin with: bots, versions on a ladder, and matches played through the engine."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bots.job import BuildJob, ClaimRequest, MatchJob, MatchReport, SeatReport
from bots.program import Program
from engine.chance import Dealer
from engine.core import CHANCE, OVER, Game, State
from engine.record import Fault, Record, RecordSeat, build_record, lost_at
from engine.registry import GAMES, make_game
from ladder.accounts.models import User
from ladder.common.blobs import blob_put
from ladder.matches.models import Attempt, Ladder, LadderVersion, Worker
from ladder.matches.services.claims import job_claim
from ladder.matches.services.ladders import ladders_ensure
from ladder.matches.services.reports import attempt_report
from ladder.matches.services.workers import worker_create
from ladder.programs.models import Bot, BotMember, Version

RULES = {name: game.rules_version for name, game in GAMES.items()}
LANGUAGES = {"python": "Python 3.11", "javascript": "v20"}

Tamper = Callable[[dict[str, Any]], None]


def user(name: str = "ada") -> User:
    return User.objects.create_user(name, password="a long password 1")


def ladder(seats: int = 2) -> Ladder:
    return next(each for each in ladders_ensure() if each.seats == seats)


def worker(name: str = "w1") -> Worker:
    return worker_create(name=name)[0]


def version(name: str, *, owner: User | None = None, on: Ladder | None = None, number: int = 1) -> Version:
    """A built version of a bot; the house's where it has no owner; active on `on`."""
    bot, _ = Bot.objects.get_or_create(name=name, defaults={"is_house": owner is None})
    if owner is not None:
        BotMember.objects.get_or_create(bot=bot, user=owner)
    source = Program("python", "main.py", None, (), {"main.py": f"# {name} {number}\n".encode()}).to_tar()
    made = Version.objects.create(
        bot=bot,
        number=number,
        state=Version.State.BUILT,
        language="python",
        entry="main.py",
        digest=blob_put(source),
        artefact_sha256=blob_put(source),
        source_size=len(source),
        uploaded_by=owner,
    )
    if on is not None:
        LadderVersion.objects.create(version=made, ladder=on, state=LadderVersion.State.ACTIVE)
        bot.entries.get_or_create(ladder=on)
        made.state = Version.State.ACTIVE
        made.save()
    return made


def claim_of(kind: str, public_id: object, **changes: Any) -> ClaimRequest:
    fields = {"languages": LANGUAGES, "rules": RULES, "layers": ["bubblewrap", "seccomp"], **changes}
    return ClaimRequest(kind=kind, id=str(public_id), worker="w1/1", **fields)  # type: ignore[arg-type]


def claim(by: Worker, match: Any, **changes: Any) -> MatchJob:
    job = job_claim(worker=by, claim=claim_of("match", match.public_id, **changes))
    assert isinstance(job, MatchJob)
    return job


def claim_build(by: Worker, build: Any) -> BuildJob:
    job = job_claim(worker=by, claim=claim_of("build", build.public_id))
    assert isinstance(job, BuildJob)
    return job


def attempt_of(job: MatchJob | BuildJob) -> Attempt:
    return Attempt.objects.get(public_id=job.attempt_id)


def played(job: MatchJob, *, lost: dict[int, str] | None = None) -> Record:
    """The record of the job's match: seeded random moves; `lost` seats crash before their first answer."""
    game = make_game(job.game, len(job.seats), job.mode, job.options)
    faults = [Fault(seat, 0, code, hard=True) for seat, code in (lost or {}).items()]
    state, actions = _play(game, job.seed, faults)
    return build_record(
        game,
        seats=[RecordSeat(seat.version, seat.name) for seat in job.seats],
        clock={"bank_ms": job.clock.bank_ms, "increment_ms": job.clock.increment_ms},
        seed=job.seed,
        actions=actions,
        faults=faults,
        state=state,
    )


def _play(game: Game, seed: str, faults: list[Fault]) -> tuple[State, list[int]]:
    rng, dealer, state = random.Random(seed), Dealer(seed), game.initial_state()
    actions: list[int] = []
    while (actor := state.actor()) != OVER:
        if actor == CHANCE:
            action = dealer.choose(state)
        elif lost_at(faults, actor) is not None:
            action = game.default_move(state)
        else:
            action = rng.choice(state.legal_actions())
        state.apply(action)
        actions.append(action)
    return state, actions


def seat_report(seat: int, **changes: Any) -> SeatReport:
    fields: dict[str, Any] = {
        "startup_cpu_us": 1,
        "startup_wall_us": 1,
        "turns": [],
        "bad_answers": [],
        "notes": [],
        "stderr": [],
        "stderr_dropped": 0,
        "lines_sha256": "0" * 64,
    }
    return SeatReport(seat=seat, **{**fields, **changes})


def report_of(job: MatchJob, record: str | None = None, **changes: Any) -> MatchReport:
    """A true report, unless another record's text is given."""
    return MatchReport(
        attempt_id=job.attempt_id,
        fence=job.fence,
        outcome="finished",
        record=played(job).to_json() if record is None else record,
        seats=[seat_report(seat.seat) for seat in job.seats],
        **changes,
    )


def play(by: Worker, match: Any, *, lost: dict[int, str] | None = None) -> None:
    """Claim a match, play it, report it."""
    job = claim(by, match)
    attempt_report(attempt=attempt_of(job), report=report_of(job, played(job, lost=lost).to_json()))


def kit() -> Path:
    """The starter bot's folder."""
    return Path(__file__).parents[2] / "bots" / "kits" / "python"
