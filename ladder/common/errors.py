"""One error a door can answer with: a code, a status and a sentence, as problem+json (RFC 9457)."""

from __future__ import annotations

from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views import defaults
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from bots.messages import MESSAGES

PROBLEM: Final = "application/problem+json"


class LadderError(Exception):
    """Base of what services raise for their callers' mistakes. `code` is in the catalogue of messages."""

    code = "bad_request"
    status = 400

    def __init__(
        self, message: str, *, code: str | None = None, status: int | None = None, **data: Any
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.status = status or self.status
        self.data = data


class NotFoundError(LadderError):
    code = "not_found"
    status = 404


class ForbiddenError(LadderError):
    code = "forbidden"
    status = 403


class ConflictError(LadderError):
    code = "conflict"
    status = 409


class InvalidError(LadderError):
    """A field, a cursor or a parameter that cannot be read."""

    code = "invalid"


class TooLargeError(LadderError):
    code = "too_large"
    status = 413


class QuotaError(LadderError):
    """Too many for now; `data["retry_at"]` says when again."""

    code = "quota"
    status = 429


MACHINE_DOORS: Final = ("/api/", "/internal/")
"""Below these, programs ask: they get problem+json whatever goes wrong; everybody else gets a page."""


def problem(*, status: int, code: str, detail: str, **data: Any) -> dict[str, Any]:
    """The body of an `application/problem+json` answer."""
    return {
        "type": f"/docs/errors/{code}/",
        "title": code.replace("_", " "),
        "status": status,
        "code": code,
        "detail": detail,
        **data,
    }


def problem_response(error: LadderError) -> JsonResponse:
    """The same body outside the API framework."""
    body = problem(status=error.status, code=error.code, detail=error.message, **error.data)
    return JsonResponse(body, status=error.status, content_type=PROBLEM)


def problem_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: each error leaves as problem+json, validation errors with their fields."""
    if isinstance(error, RequestDataTooBig):
        error = TooLargeError("The body is larger than this door reads.")
    if isinstance(error, LadderError):
        body = problem(status=error.status, code=error.code, detail=error.message, **error.data)
        headers = {"Retry-After": str(error.data["retry_after"])} if "retry_after" in error.data else None
        return _response(body, headers)
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, exceptions.ValidationError):
        body = problem(status=400, code="invalid", detail="Some fields are not right.", fields=response.data)
    else:
        code = str(getattr(error, "default_code", ""))
        known = code if code in MESSAGES else "bad_request"
        # Django's own Http404 and PermissionDenied come without a code.
        code = {403: "forbidden", 404: "not_found"}.get(response.status_code, known) if not code else known
        body = problem(status=response.status_code, code=code, detail=_detail(error, code))
    return _response(body, dict(response.headers))


def _detail(error: Exception, code: str) -> str:
    return str(getattr(error, "detail", "")) or MESSAGES[code].title


def _response(body: dict[str, Any], headers: dict[str, str] | None) -> Response:
    return Response(body, status=body["status"], headers=headers, content_type=PROBLEM)


# ------------------------------------------------------ outside every view: ladder/urls.py names these


def wants_problem(request: HttpRequest) -> bool:
    """Whether a program asks, and not a browser."""
    return request.path_info.startswith(MACHINE_DOORS)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A request that Django itself refuses, such as one for another host."""
    if not wants_problem(request):
        return defaults.bad_request(request, exception)
    if isinstance(exception, RequestDataTooBig):
        return problem_response(TooLargeError("The body is larger than this door reads."))
    return problem_response(LadderError("The request cannot be read."))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A refusal that no view turned into an answer."""
    if not wants_problem(request):
        return defaults.permission_denied(request, exception)
    return problem_response(ForbiddenError("This is not for you."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """An address that is none."""
    if not wants_problem(request):
        return defaults.page_not_found(request, exception)
    return problem_response(NotFoundError("There is nothing at this address."))


def server_error(request: HttpRequest) -> HttpResponse:
    """A mistake of ours; what it was stands in the log alone."""
    if not wants_problem(request):
        return defaults.server_error(request)
    error = LadderError(
        "Something went wrong here, and it is not your fault.", code="server_error", status=500
    )
    return problem_response(error)
