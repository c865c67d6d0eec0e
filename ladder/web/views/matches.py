"""Matches: the list, a match with its replay, the proof of its dice, what one seat was sent."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_cache_control

from bots.messages import MESSAGES
from ladder.common.errors import ForbiddenError, LadderError
from ladder.matches import selectors
from ladder.matches.attempts import attempts_told
from ladder.matches.filters import MatchFilter
from ladder.matches.models import Match, MatchSeat
from ladder.matches.visibility import Sight, sight
from ladder.web.replays import Replay, replay, step_of_ply
from ladder.web.verdicts import verdict
from ladder.web.views.common import number, page

PAGE: Final = 20


def matches(request: HttpRequest) -> HttpResponseBase:
    """The newest matches that fit the filter; `before` is the match at which the last page ended."""
    visible = selectors.matches(request.user)
    chosen = MatchFilter(request.GET, queryset=visible)
    found = chosen.qs if chosen.is_valid() else visible.none()
    last = _uuid(request.GET.get("before"))
    before = Match.objects.filter(public_id=last).first() if last else None
    if before is not None:
        found = found.filter(pk__lt=before.pk)
    rows = list(found[: PAGE + 1])
    query = request.GET.copy()
    query.pop("before", None)
    if len(rows) > PAGE:
        query["before"] = str(rows[PAGE - 1].public_id)
    context = {
        "rows": rows[:PAGE],
        "more": query.urlencode() if len(rows) > PAGE else "",
        "ladders": selectors.ladders(),
        "statuses": Match.Status.choices,
        "chosen": request.GET,
        "filtered": any(key != "before" for key in request.GET),
    }
    return render(request, "web/matches.html", context)


def _uuid(text: str | None) -> UUID | None:
    try:
        return UUID(text or "")
    except ValueError:
        return None


@page
def match(request: HttpRequest, match_id: UUID) -> HttpResponseBase:
    """A match: how it ended, and its replay at `?step=38&seat=1`, both counted from 1.

    With `?part=stage` only what changes from step to step.
    """
    found = selectors.match_by_id(request.user, match_id)
    seen = sight(request.user, found)
    seat = number(request.GET.get("seat"), least=1, most=found.seats.count())
    shown = _replay(request, found, seen, seat)
    context = {
        "match": found,
        "verdict": verdict(found),
        "seats": list(found.seats.all()),
        "replay": shown,
        "own": _own_turn(request, found, seen, shown),
        "sight": seen,
        "faults": [_fault(one) for one in found.seats.all() if one.fault_code],
        "void": MESSAGES.get(found.void_code),
        "attempts": [told for told in attempts_told(request.user, found) if told.code],
        "waits_for": selectors.waits_for(found),
        "waits": found.status in (Match.Status.QUEUED, Match.Status.RUNNING)
        or (found.status == Match.Status.FINISHED and not seen.record),
    }
    is_part = request.GET.get("part") == "stage" and shown is not None
    response = render(request, "web/parts/stage.html" if is_part else "web/match.html", context)
    if is_part:
        patch_cache_control(response, private=True, max_age=300)
    return response


def _replay(request: HttpRequest, found: Match, seen: Sight, seat: int | None) -> Replay | None:
    if not seen.record:
        return None
    step = number(request.GET.get("step"), least=1, most=10**6) or 1
    return replay(request.user, found, step=step, seat=None if seat is None else seat - 1)


def _fault(seat: MatchSeat) -> dict[str, Any]:
    return {"seat": seat, "message": MESSAGES[seat.fault_code]}


def _own_turn(request: HttpRequest, found: Match, seen: Sight, shown: Replay | None) -> dict[str, Any] | None:
    """What the viewer's own seat said and used at this step, where the replay is seen by it."""
    if shown is None or shown.seat is None or shown.seat not in seen.transcripts:
        return None
    try:
        report = selectors.transcript_of(request.user, found, shown.seat)
    except LadderError:
        return None
    lines = selectors.lines_of(request.user, found, shown.seat)
    turn = next((one.turn for one in lines if one.kind == "move" and one.ply == shown.ply), None)
    return {
        "turn": turn,
        "usage": next((use for use in report.turns if use.turn == turn), None),
        "notes": [note.text for note in report.notes if note.turn == turn],
        "stderr": "".join(chunk.text for chunk in report.stderr if chunk.turn == turn),
    }


@page
def proof(request: HttpRequest, match_id: UUID) -> HttpResponseBase:
    """The commitment, and when the bundle has ended the seed and how to check both at home."""
    found = selectors.match_by_id(request.user, match_id)
    seen = sight(request.user, found)
    context = {
        "match": found,
        "verdict": verdict(found),
        "sight": seen,
        "digest": found.record.digest if seen.record else "",
        "attempts": attempts_told(request.user, found),
    }
    return render(request, "web/proof.html", context)


@page
def seat(request: HttpRequest, match_id: UUID, numeral: int) -> HttpResponseBase:
    """For members of the bot: turn by turn what the seat was sent, used, noted and wrote to stderr."""
    found = selectors.match_by_id(request.user, match_id)
    if numeral < 1:
        raise ForbiddenError("Seats are counted from 1.")
    report = selectors.transcript_of(request.user, found, numeral - 1)
    lines = selectors.lines_of(request.user, found, numeral - 1)
    chosen = number(request.GET.get("turn"), least=0, most=10**6)
    steps = step_of_ply(request.user, found) if sight(request.user, found).record else {}
    context = {
        "match": found,
        "seat": found.seats.all()[numeral - 1],
        "numeral": numeral,
        "report": report,
        "turns": _turns(report, lines, steps),
        "chosen": chosen,
        "lines": [(one.kind, one.data.decode()) for one in lines if one.turn == chosen],
    }
    return render(request, "web/seat.html", context)


def _turns(report: Any, lines: list[Any], steps: dict[int, int]) -> list[dict[str, Any]]:
    """A row a turn, start-up as turn 0."""
    notes = {note.turn: note.text for note in report.notes}
    bad = {answer.turn: answer for answer in report.bad_answers}
    stderr: dict[int, str] = {}
    for chunk in report.stderr:
        stderr[chunk.turn] = stderr.get(chunk.turn, "") + chunk.text
    plies = {one.turn: one.ply for one in lines if one.kind == "move"}
    rows = [(0, report.startup_cpu_us, report.startup_wall_us)]
    rows += [(use.turn, use.cpu_us, use.wall_us) for use in report.turns]
    return [
        {
            "turn": turn,
            "cpu_us": cpu,
            "wall_us": wall,
            "step": steps.get(plies.get(turn, -1)),
            "note": notes.get(turn, ""),
            "bad": bad.get(turn),
            "stderr": stderr.get(turn, ""),
        }
        for turn, cpu, wall in rows
    ]
