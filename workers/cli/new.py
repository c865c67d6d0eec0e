"""`haunt new LANGUAGE DIR`: a starter bot."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import bots
from bots.intake import JUNK
from bots.kits import kit_path
from workers.cli.output import GOOD, CliError, Output


def new(args: argparse.Namespace, out: Output) -> int:
    """Copy the kit into a folder that does not exist, or is empty."""
    target = Path(args.dir)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise CliError("not_empty", f"{target} is there already. Name a folder that does not exist yet.")
    try:
        ignore = shutil.ignore_patterns(*JUNK)
        shutil.copytree(kit_path(args.language), target, dirs_exist_ok=True, ignore=ignore)
        if args.language == "python":
            shutil.copyfile(Path(bots.__file__).with_name("sdk.py"), target / "sdk.py")
    except OSError as error:
        raise CliError("unwritable", f"{target} cannot be written: {error.strerror}.") from None
    files = sorted(str(path.relative_to(target)) for path in target.rglob("*") if path.is_file())
    out.document({"dir": str(target), "language": args.language, "files": files})
    out.line(f"{target} holds a bot in {args.language}: {', '.join(files)}.", "green")
    shown = args.dir if "/" in args.dir or "." in args.dir else f"./{args.dir}"
    out.line(f"Play it: haunt play dont-go-in-there {shown} random")
    return GOOD
