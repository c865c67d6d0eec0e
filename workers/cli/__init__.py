"""The `haunt` command: the worker's referee and sandbox at home, and the server's API.

Exit status: 0 good, 1 bad news, 2 wrong use. `--json` gives one JSON document on stdout and nothing else.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from workers.cli.output import CliError, Output
from workers.cli.parser import build_parser

_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit status."""
    args = build_parser().parse_args(argv)
    out = Output(is_json=args.json)
    try:
        status: int = args.run(args, out)
    except CliError as error:
        out.failure(error)
        return error.status
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()  # who read us has gone; nothing is left to say, and nobody to say it to
        return 0
    return status
