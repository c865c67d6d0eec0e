"""`haunt sandbox`: which layers hold on this machine, and which languages run inside."""

from __future__ import annotations

import argparse

from workers.cli.output import BAD_NEWS, GOOD, Output, bad_news, wrong_use
from workers.cli.table import launcher_for
from workers.runtimes.probing import offered
from workers.sandbox.errors import SandboxError
from workers.sandbox.probe import layers


def sandbox(args: argparse.Namespace, out: Output) -> int:
    """Start something in it and see. Exit status 1 where no sandbox starts."""
    if args.attack:
        raise wrong_use("--attack is not there yet; the hostile bots run in the test suite so far.")
    launcher = launcher_for(sandboxed=True)
    try:
        found = layers(launcher)
        languages = offered(launcher)
    except SandboxError as error:
        raise bad_news("no_sandbox", why=str(error)) from None
    out.document({"layers": found, "languages": languages})
    out.table(["layer", "here"], [[name.replace("_", " "), _said(value)] for name, value in found.items()])
    out.line("")
    out.table(["language", "version"], [[name, version] for name, version in languages.items()])
    return GOOD if found["bubblewrap"] else BAD_NEWS


def _said(value: bool | str) -> str:
    return value if isinstance(value, str) else ("yes" if value else "no")
