"""What a program is, and the strict intake of an upload: one source file, a zip, or a tar.gz.

The ladder, the workers and `haunt` read programs here and nowhere else, so that a bot that is good at
home is good on the server, with the same digest. Nothing of an upload is ever run, imported or
unpacked to disk by this module.
"""

from __future__ import annotations

import hashlib
import io
import stat
import tarfile
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Final

from bots.intake import (
    BUILT,
    JUNK,
    MAX_FILES,
    MAX_PACKED,
    MIB,
    ProgramError,
    Tree,
    checked_path,
    shown,
    without_junk,
    without_top_folder,
)
from bots.intake_tar import GZIP_MAGIC, read_tar, read_tar_gz
from bots.intake_zip import MAGIC, MAGIC_EMPTY, read_zip
from bots.languages import ENTRIES, LANGUAGES, SUFFIXES
from engine.registry import GAMES

__all__ = ["BUILT", "Program", "ProgramError", "from_tar", "read_path", "read_upload"]

MANIFEST: Final = "bot.toml"
_MAX_MANIFEST: Final = 16 * 1024
_MAX_BUILD_WORDS: Final = 64


@dataclass(frozen=True)
class Program:
    """One program, checked: what it is written in, what starts it, and all its files by path."""

    language: str
    entry: str
    build: tuple[str, ...] | None
    games: tuple[str, ...]
    """What its bot.toml says it plays: `game` or `game:mode`; empty when it says nothing."""
    files: Mapping[str, bytes]
    """Path -> contents, in order of path."""

    def plays(self, game: str, mode: str | None) -> bool:
        """Whether it says that it plays this mode of a game; one that says nothing plays all."""
        return plays(self.games, game, mode)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of the canonical tar: the name of this version everywhere."""
        return hashlib.sha256(self.to_tar()).hexdigest()

    def to_tar(self) -> bytes:
        """The canonical tar: the same files give the same bytes, whatever archive they came in."""
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
            for path, data in sorted(self.files.items()):
                info = tarfile.TarInfo(path)
                info.size = len(data)
                info.mode = 0o644
                tar.addfile(info, io.BytesIO(data))
        return out.getvalue()


def plays(games: Collection[str], game: str, mode: str | None) -> bool:
    """Whether `games` of a bot.toml name the game, or `game:mode`; an empty list names all."""
    return not games or game in games or f"{game}:{mode}" in games


def read_upload(
    data: bytes | BinaryIO,
    filename: str,
    *,
    languages: Collection[str] = LANGUAGES,
    language: str | None = None,
) -> Program:
    """Check an upload and read it. `language` is what the author said, where bot.toml is silent.

    Raises ProgramError, whose code is a key of the catalogue, at the first thing that is wrong.
    """
    packed = data if isinstance(data, bytes) else data.read(MAX_PACKED + 1)
    if len(packed) > MAX_PACKED:
        raise ProgramError("too_big", limit=MAX_PACKED // MIB)
    if not packed:
        raise ProgramError("empty")
    return _program(_unpacked(packed, filename), languages=languages, language=language)


def read_path(path: Path) -> Program:
    """A program on its author's own disk: a folder, a source file or an archive; the same checks.

    Raises ProgramError, and OSError for what cannot be read.
    """
    if not path.is_dir():
        if path.exists() and not path.is_file():
            raise ProgramError("special_file", path=shown(path.name))
        with path.open("rb") as file:
            return read_upload(file, path.name)
    tree = Tree()
    for name, file_path, size in _walk(path, ""):
        listed = tree.list_file(name, size)
        with file_path.open("rb") as file:
            content = file.read(size + 1)
        if len(content) != size:
            raise ProgramError("lying_size", path=shown(name))
        tree.files[listed] = content
    return _program(without_top_folder(tree.files), languages=LANGUAGES, language=None)


def from_tar(data: bytes) -> dict[str, bytes]:
    """Path -> contents of an unpacked tar, as `to_tar` writes it. Raises ProgramError."""
    return read_tar(data)


def _unpacked(packed: bytes, filename: str) -> dict[str, bytes]:
    """The files of an upload by its kind: the name of a source file, else the first bytes."""
    if _language_of(filename):
        tree = Tree()
        tree.files[tree.list_file(filename, len(packed))] = packed
        return tree.files
    if packed.startswith((MAGIC, MAGIC_EMPTY)):
        files = read_zip(packed)
    elif packed.startswith(GZIP_MAGIC):
        files = read_tar_gz(packed)
    else:
        raise ProgramError("not_an_archive", name=shown(filename))
    return without_top_folder(without_junk(files))


def _walk(folder: Path, prefix: str) -> Iterator[tuple[str, Path, int]]:
    """Files below a folder, as (relative path, where, size); links and special files are refused."""
    for item in sorted(folder.iterdir()):
        name = prefix + item.name
        if item.name in JUNK:
            continue
        mode = item.lstat().st_mode
        if stat.S_ISLNK(mode):
            raise ProgramError("link", path=shown(name))
        if stat.S_ISDIR(mode):
            checked_path(name)
            yield from _walk(item, f"{name}/")
        elif stat.S_ISREG(mode):
            yield name, item, item.lstat().st_size
        else:
            raise ProgramError("special_file", path=shown(name))


def _program(files: Mapping[str, bytes], *, languages: Collection[str], language: str | None) -> Program:
    if not any(files.values()):
        raise ProgramError("empty")
    if len(files) > MAX_FILES:
        raise ProgramError("too_many_files", limit=MAX_FILES)
    manifest = _manifest(files.get(MANIFEST))
    if language and manifest.get("language", language) != language:
        raise _bad_manifest(f"it says {shown(manifest['language'])}, and the form says {shown(language)}")
    said = manifest.get("language") or language
    if said:
        _check_offered(said, languages)
    entry = _entry(files, manifest.get("entry"), said)
    written_in = said or _language_of(entry)
    _check_offered(written_in, languages)
    return Program(
        language=written_in,
        entry=entry,
        build=tuple(manifest["build"]) if "build" in manifest else None,
        games=_games(manifest.get("games", [])),
        files=dict(sorted(files.items())),
    )


def _entry(files: Mapping[str, bytes], named: str | None, language: str | None) -> str:
    """The file that starts the bot: named, or called main, or the only one there is."""
    if named is not None:
        if named not in files:
            raise ProgramError("no_entry", why=f"bot.toml names `{shown(named)}`, which is not there")
        return named
    sources = [name for name in files if (found := _language_of(name)) and language in (None, found)]
    if main := [name for name in ENTRIES if name in sources]:
        return main[0]
    top = [name for name in sources if "/" not in name]
    if len(top) != 1:
        raise ProgramError("no_entry", why=f"{len(top) or 'no'} source files stand at the top")
    return top[0]


def _language_of(path: str) -> str:
    """The language that a file's name speaks of, or ""."""
    return SUFFIXES.get(Path(path).suffix.lower(), "")


def _check_offered(language: str, languages: Collection[str]) -> None:
    if language not in languages:
        name = shown(language) or "what this file is written in"
        raise ProgramError("language_not_offered", language=name, offered=" and ".join(languages))


def _bad_manifest(why: str) -> ProgramError:
    return ProgramError("bad_bot_toml", why=why)


def _manifest(data: bytes | None) -> dict[str, Any]:
    """bot.toml, each key with its right type."""
    if data is None:
        return {}
    if len(data) > _MAX_MANIFEST:
        raise _bad_manifest(f"it is longer than {_MAX_MANIFEST // 1024} KiB")
    try:
        manifest = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise _bad_manifest("it is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise _bad_manifest(shown(str(error)).rstrip(".") or "it is not TOML") from None
    for key, value in manifest.items():
        _check_key(key, value)
    return manifest


def _check_key(key: str, value: object) -> None:
    if key in ("language", "entry"):
        if not isinstance(value, str) or not value:
            raise _bad_manifest(f"`{key}` must be a text")
    elif key in ("build", "games"):
        if not isinstance(value, list) or not all(isinstance(word, str) and word for word in value):
            raise _bad_manifest(f"`{key}` must be a list of texts")
        if key == "build" and not 0 < len(value) <= _MAX_BUILD_WORDS:
            raise _bad_manifest(f"`build` must be a command of 1 to {_MAX_BUILD_WORDS} words")
    else:
        raise _bad_manifest(f"`{shown(key)}` is not a key that we know")


def _games(names: list[str]) -> tuple[str, ...]:
    for name in names:
        game, colon, mode = name.partition(":")
        if game not in GAMES or (colon and mode not in GAMES[game].modes):
            raise ProgramError("unknown_game", game=shown(name), known=", ".join(GAMES))
    return tuple(dict.fromkeys(names))
