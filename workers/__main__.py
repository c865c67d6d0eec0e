"""`python -m workers`: one match worker, with the switches that it needs.

SIGTERM finishes the matches that are being played, then ends.
"""

from __future__ import annotations

import sys

from workers.celery import app
from workers.errors import SettingsError
from workers.settings import from_environment


def main() -> None:
    """Start the worker; exit status 2 when its environment is not right."""
    try:
        from_environment()
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)
    app.worker_main(
        [
            "worker",
            "--loglevel",
            "INFO",
            "--without-gossip",
            "--without-mingle",
            "--without-heartbeat",
            *sys.argv[1:],
        ]
    )


if __name__ == "__main__":
    main()
