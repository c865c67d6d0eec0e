"""The API's schema: every operation may answer with a problem, and tokens open doors."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.extensions import OpenApiAuthenticationExtension

from ladder.common.errors import PROBLEM

PROBLEM_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "description": "What went wrong (RFC 9457); `code` is in the list of codes, `type` the page about it.",
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string"},
        "detail": {"type": "string"},
        "fields": {"type": "object", "description": "With code `invalid`: what is wrong, by field."},
        "retry_at": {"type": "string", "format": "date-time"},
        "retry_after": {"type": "integer", "description": "seconds"},
    },
    "required": ["type", "title", "status", "code", "detail"],
}


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """`Authorization: Bearer hl_<prefix>_<secret>`."""

    target_class = "ladder.accounts.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:  # noqa: ARG002
        return {"type": "http", "scheme": "bearer", "bearerFormat": "hl_<prefix>_<secret>"}


def problems_added(result: dict[str, Any], **_context: Any) -> dict[str, Any]:
    """Postprocessing hook: `Problem` as every operation's answer but for those that it names itself."""
    result["components"]["schemas"]["Problem"] = PROBLEM_SCHEMA
    answer = {
        "description": "It did not work.",
        "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for operations in result["paths"].values():
        for operation in operations.values():
            if isinstance(operation, dict):
                operation["responses"]["default"] = answer
    return result
