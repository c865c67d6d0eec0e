"""Cursor pages: stable while rows arrive, and no count over a large table."""

from __future__ import annotations

from rest_framework.pagination import CursorPagination


class CursorPages(CursorPagination):
    """`?page_size=` up to 200; `next` and `previous` are addresses to follow."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200
    ordering = "-id"
