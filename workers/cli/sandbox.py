"""`haunt sandbox`: which layers hold here, which languages run inside, and attacks on all of it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from rich.progress import Progress

from workers.attacks.attack import GROUPS, Bench, Result, Verdict
from workers.attacks.runner import as_json, attempt, catalogue, is_held
from workers.cli.output import BAD_NEWS, GOOD, Output, bad_news
from workers.runtimes.probing import offered
from workers.sandbox.errors import SandboxError
from workers.sandbox.launcher import SandboxLauncher
from workers.sandbox.probe import layers


def sandbox(args: argparse.Namespace, out: Output) -> int:
    """Start something in it and see. Exit status 1 where no sandbox starts, or does not hold."""
    try:
        launcher = SandboxLauncher()
        return _attack(launcher, out) if args.attack else _look(launcher, out)
    except SandboxError as error:
        raise bad_news("no_sandbox", why=str(error)) from None


def _look(launcher: SandboxLauncher, out: Output) -> int:
    found = layers(launcher)
    languages = offered(launcher)
    out.document({"layers": found, "languages": languages})
    out.table(["layer", "here"], [[name.replace("_", " "), _said(value)] for name, value in found.items()])
    out.line("")
    out.table(["language", "version"], [[name, version] for name, version in languages.items()])
    return GOOD if found["bubblewrap"] else BAD_NEWS


def _said(value: bool | str) -> str:
    return value if isinstance(value, str) else ("yes" if value else "no")


def _attack(launcher: SandboxLauncher, out: Output) -> int:
    """Every attack that applies here. Exit status 1 if one was not contained, or a group not tried."""
    bench = Bench(launcher)
    attacks = catalogue()
    results = []
    with Progress(console=out.progress, transient=True) as progress:
        task = progress.add_task("attacking", total=len(attacks))
        for attack in attacks:
            progress.update(task, description=f"{attack.group}: {attack.name}"[:48])
            results.append(attempt(attack, bench))
            progress.advance(task)
    held = is_held(results)
    out.document({"ok": held, "layers": bench.layers, "attacks": [as_json(result) for result in results]})
    _print_groups(out, results)
    _print_reasons(out, results)
    return GOOD if held else BAD_NEWS


def _print_groups(out: Output, results: Sequence[Result]) -> None:
    rows = []
    for group, title in GROUPS.items():
        own = [result for result in results if result.group == group]
        verdicts = [str(sum(result.verdict is verdict for result in own)) for verdict in Verdict]
        tries = sum(result.tries for result in own if result.verdict is not Verdict.SKIPPED)
        rows.append([title, str(len(own)), str(tries), *verdicts])
    out.table(["group", "attacks", "tries", *(verdict.split()[0] for verdict in Verdict)], rows)


def _print_reasons(out: Output, results: Sequence[Result]) -> None:
    """In full, what was not contained; and why something was not tried, said once for each reason."""
    for result in results:
        if result.verdict in (Verdict.ESCAPED, Verdict.WRONG):
            out.line(f"\n{result.verdict}: {result.group}, {result.name}. {result.what}", "bold red")
            out.line(result.reason)
    skipped = [result for result in results if result.verdict is Verdict.SKIPPED]
    for reason in sorted({result.reason for result in skipped}):
        names = ", ".join(result.name for result in skipped if result.reason == reason)
        out.line(f"\nskipped: {names}: {reason}")
