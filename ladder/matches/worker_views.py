"""The workers' door: thin views that read strictly, call one service and answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Concatenate, Final, ParamSpec, TypeVar
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from bots import job as wire
from bots.program import ProgramError, from_tar
from ladder.common.blobs import blob_get, blob_put
from ladder.common.digests import secret_digest
from ladder.common.errors import (
    ConflictError,
    ForbiddenError,
    LadderError,
    NotFoundError,
    TooLargeError,
    problem_response,
)
from ladder.matches.models import Attempt, MatchSeat, Worker
from ladder.matches.services.claims import ALIVE, SupersededError, job_claim, lease_renew
from ladder.matches.services.reports import attempt_report
from ladder.matches.services.workers import worker_seen

MAX_MESSAGE: Final = 4 << 20
MAX_ARTEFACT: Final = 80 << 20
_LENGTH_DIGITS: Final = 20

_T = TypeVar("_T")
_P = ParamSpec("_P")
View = Callable[Concatenate[HttpRequest, Worker, _P], HttpResponse]
Door = Callable[Concatenate[HttpRequest, _P], HttpResponseBase]


class WorkerTokenError(LadderError):
    code = "worker_token"
    status = 401


class WrongMethodError(LadderError):
    code = "method_not_allowed"
    status = 405


def door(method: str) -> Callable[[View[_P]], Door[_P]]:
    """Open to one method and to workers alone; every LadderError is answered as problem+json."""

    def wrap(view: View[_P]) -> Door[_P]:
        def inner(request: HttpRequest, /, *args: _P.args, **kwargs: _P.kwargs) -> HttpResponseBase:
            try:
                if request.method != method:
                    raise WrongMethodError(f"This door is opened with {method}.")
                return view(request, _worker(request), *args, **kwargs)
            except LadderError as error:
                response = problem_response(error)
                if isinstance(error, WrongMethodError):
                    response.headers["Allow"] = method
                return response

        update_wrapper(inner, view)
        return csrf_exempt(inner)

    return wrap


def _worker(request: HttpRequest) -> Worker:
    scheme, _, token = request.headers.get(wire.WORKER_HEADER, "").partition(" ")
    worker = Worker.objects.filter(token_sha256=secret_digest(token)).first() if scheme == "Worker" else None
    if worker is None:
        raise WorkerTokenError("This door is for workers: send `Authorization: Worker <token>`.")
    return worker


def _body(request: HttpRequest, limit: int) -> bytes:
    """The whole body, if it is no larger than `limit` bytes and says its size."""
    text = request.headers.get("Content-Length") or ""
    if not (text.isascii() and text.isdecimal()):
        raise LadderError("Send a Content-Length.", code="no_length")
    size = int(text[:_LENGTH_DIGITS])
    if size > limit:
        raise TooLargeError(f"The body is larger than the {limit} bytes that are read at most.")
    return request.read(size)


def _read(request: HttpRequest, kind: type[_T]) -> _T:
    try:
        return wire.read(_body(request, MAX_MESSAGE), kind)
    except msgspec.MsgspecError as error:
        raise LadderError(f"The message cannot be read: {error}", code="bad_message") from None


def _attempt(worker: Worker, attempt_id: UUID) -> Attempt:
    """This worker's own attempt. Raises NotFoundError for anybody else's."""
    attempt = Attempt.objects.filter(public_id=attempt_id, worker=worker).first()
    if attempt is None:
        raise NotFoundError("There is no such attempt of this worker.")
    return attempt


def _alive(worker: Worker, attempt_id: UUID) -> Attempt:
    attempt = _attempt(worker, attempt_id)
    if attempt.status not in ALIVE:
        raise SupersededError("This attempt has ended.")
    return attempt


@door("POST")
def claims(request: HttpRequest, worker: Worker) -> HttpResponse:
    job = job_claim(worker=worker, claim=_read(request, wire.ClaimRequest))
    return HttpResponse(msgspec.json.encode(job), content_type="application/json")


@door("POST")
def renew(request: HttpRequest, worker: Worker, attempt_id: UUID) -> HttpResponse:
    renewal = _read(request, wire.Renewal)
    lease_renew(attempt=_attempt(worker, attempt_id), fence=renewal.fence)
    return HttpResponse(status=204)


@door("POST")
def report(request: HttpRequest, worker: Worker, attempt_id: UUID) -> HttpResponse:
    attempt = _attempt(worker, attempt_id)
    message: wire.MatchReport | wire.BuildReport
    message = _read(request, wire.MatchReport) if attempt.match_id else _read(request, wire.BuildReport)
    if message.attempt_id != str(attempt.public_id):
        raise ConflictError("The report is of another attempt.", code="other_attempt")
    attempt_report(attempt=attempt, report=message)
    return HttpResponse(status=204)


@door("POST")
def heartbeat(request: HttpRequest, worker: Worker) -> HttpResponse:
    worker_seen(worker=worker, beat=_read(request, wire.Heartbeat))
    return HttpResponse(status=204)


@door("GET")
def artefact(_request: HttpRequest, worker: Worker, attempt_id: UUID, digest: str) -> HttpResponse:
    """A program that sits in this attempt's match, and no other."""
    attempt = _alive(worker, attempt_id)
    seats = MatchSeat.objects.filter(match=attempt.match_id, version__artefact_sha256=digest)
    if attempt.match_id is None or not seats.exists():
        raise ForbiddenError("This program does not sit in that match.")
    return HttpResponse(blob_get(digest), content_type="application/octet-stream")


@door("GET")
def source(_request: HttpRequest, worker: Worker, attempt_id: UUID) -> HttpResponse:
    """The checked source of the version that this attempt builds."""
    attempt = _alive(worker, attempt_id)
    if attempt.build is None:
        raise ForbiddenError("This attempt builds nothing.")
    return HttpResponse(blob_get(attempt.build.version.digest), content_type="application/x-tar")


@door("PUT")
def artefact_put(request: HttpRequest, worker: Worker, attempt_id: UUID) -> HttpResponse:
    """What a build made: a canonical tar, read as strictly as an upload."""
    attempt = _alive(worker, attempt_id)
    if attempt.build_id is None:
        raise ForbiddenError("This attempt builds nothing.")
    data = _body(request, MAX_ARTEFACT)
    try:
        from_tar(data)
    except ProgramError as error:
        raise LadderError(error.message, code=error.code, status=422) from None
    Attempt.objects.filter(pk=attempt.pk).update(artefact_sha256=blob_put(data))
    return HttpResponse(status=204)
