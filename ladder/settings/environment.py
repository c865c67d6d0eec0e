"""Reading the environment: each variable is checked once, here, with an error that names it."""

from __future__ import annotations

import os

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str | None = None) -> str:
    """The variable's value. Raises ImproperlyConfigured when it is unset and has no default."""
    value = os.environ.get(name, default)
    if value is None or (value == "" and default is None):
        raise ImproperlyConfigured(f"Set {name} in the environment; docs/deploy.md says what it is for.")
    return value


def flag(name: str, *, default: bool = False) -> bool:
    """True for 1/true/yes/on, False for 0/false/no/off/empty."""
    value = os.environ.get(name, "1" if default else "0").strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off", ""}:
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}; use 1 or 0.")


def number(name: str, default: int, *, least: int = 0) -> int:
    """A whole number of at least `least`."""
    value = os.environ.get(name, str(default))
    try:
        result = int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be a whole number.") from None
    if result < least:
        raise ImproperlyConfigured(f"{name} is {result}; it must be at least {least}.")
    return result


def choice(name: str, allowed: tuple[str, ...], default: str) -> str:
    """One of `allowed`."""
    value = os.environ.get(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be one of: {', '.join(allowed)}.")
    return value


def words(name: str, default: str = "") -> list[str]:
    """A list, separated by commas."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]
