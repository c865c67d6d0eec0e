"""Cursor pages: stable while rows arrive, and no count over a large table."""

from __future__ import annotations

from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

from ladder.common.errors import InvalidError

_DIGITS = 18
"""More than any id has, and no more than a bigint holds."""


class CursorPages(CursorPagination):
    """`?page_size=` up to 200; `next` and `previous` are addresses to follow."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200
    ordering = "-id"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """The cursor of the request. Raises InvalidError for one that is not of our making."""
        try:
            cursor: Cursor | None = super().decode_cursor(request)
        except NotFound:
            raise InvalidError("This cursor is not one of ours.") from None
        position = "0" if cursor is None or cursor.position is None else str(cursor.position)
        if not (position.isascii() and position.isdecimal() and len(position) <= _DIGITS):
            raise InvalidError("This cursor is not one of ours.")
        return cursor
