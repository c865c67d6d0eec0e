"""What a request may do: anyone reads, the signed-in write, a token only within its scopes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS, BasePermission

if TYPE_CHECKING:  # the framework imports this module while it is itself being imported
    from rest_framework.request import Request
    from rest_framework.views import APIView


class ScopedOrReadOnly(BasePermission):
    """Views name the scope that writing needs in `write_scope` (default `upload`)."""

    message = "This token may not do that: make one with the scope that this request needs."

    def has_permission(self, request: Request, view: APIView) -> bool:
        scopes: list[str] | None = getattr(request.auth, "scopes", None)
        if request.method in SAFE_METHODS:
            return scopes is None or bool(scopes)  # every scope reads
        if not request.user.is_authenticated:
            return False
        return scopes is None or getattr(view, "write_scope", "upload") in scopes
