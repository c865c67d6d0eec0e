"""One error a door can answer with: a code, a status and a sentence, as problem+json (RFC 9457)."""

from __future__ import annotations

from typing import Any

from django.http import JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler


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


class QuotaError(LadderError):
    """Too many for now; `data["retry_at"]` says when again."""

    code = "quota"
    status = 429


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
    return JsonResponse(body, status=error.status, content_type="application/problem+json")


def problem_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: each error leaves as problem+json, validation errors with their fields."""
    if isinstance(error, LadderError):
        body = problem(status=error.status, code=error.code, detail=error.message, **error.data)
        headers = {"Retry-After": str(error.data["retry_after"])} if "retry_after" in error.data else None
        return Response(body, status=error.status, headers=headers, content_type="application/problem+json")
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, exceptions.ValidationError):
        body = problem(status=400, code="invalid", detail="Some fields are not right.", fields=response.data)
    else:
        code = str(getattr(error, "default_code", "error"))
        detail = str(getattr(error, "detail", "")) or code
        body = problem(status=response.status_code, code=code, detail=detail)
    return Response(
        body,
        status=response.status_code,
        headers=dict(response.headers),
        content_type="application/problem+json",
    )
