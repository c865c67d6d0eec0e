"""`haunt tournament list|show|create|enter|withdraw|bracket|results`: tournaments, through the server's API.

`watch` is in watch.py, the drawing of brackets in bracket.py.
"""

from __future__ import annotations

import argparse
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from workers.cli.api import Api, current_login, reading_login
from workers.cli.bracket import draw
from workers.cli.output import GOOD, CliError, Output, wrong_use

_UNITS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_PLAN: Final = (
    "title",
    "description",
    "ladder",
    "format",
    "seats",
    "advance",
    "rounds",
    "bundles",
    "groups",
    "qualify",
    "tie_breaks",
    "seeding",
    "entry_rule",
    "least_rating",
    "entries_per_user",
    "min_entries",
    "max_entries",
    "house_fills",
    "is_listed",
)
_TIMES: Final = ("starts_at", "registration_ends_at", "hidden_until")


def when(text: str) -> datetime:
    """An hour: `30m` from now (s, m, h, d), or ISO 8601; without a zone it is the local one."""
    if found := re.fullmatch(r"\+?(\d{1,6})([smhd])", text):
        return datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=int(found[1]) * _UNITS[found[2]])
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError, OSError):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time: 30m (from now; s, m, h, d), or 2030-01-04T20:00"
        ) from None


def address(text: str) -> str:
    """A tournament's name in addresses, out of the whole address if that is what was given."""
    slug = text.split("/tournaments/", 1)[-1].strip("/").split("/")[0]
    if not slug:
        raise argparse.ArgumentTypeError(f"{text!r} names no tournament")
    return slug


def path_of(slug: str, door: str = "") -> str:
    """The path of one tournament's door below /api/v1/."""
    return f"tournaments/{quote(slug, safe='')}{door}"


def list_all(args: argparse.Namespace, out: Output) -> int:
    """Tournaments by state and ladder, or one's own."""
    asked = {"state": args.state, "ladder": args.ladder, "mine": "true" if args.mine else None}
    with Api(current_login() if args.mine else reading_login()) as api:
        rows = list(api.pages("tournaments", **{name: value for name, value in asked.items() if value}))
    out.document({"tournaments": rows})
    if not rows:
        out.line("There are none.")
        return GOOD
    table = [
        [
            row["slug"],
            row["title"],
            row["format"].replace("_", " "),
            row["state"],
            str(row["entries"]),
            hour(row["starts_at"]),
        ]
        for row in rows
    ]
    out.table(["tournament", "title", "format", "state", "entries", "starts"], table)
    return GOOD


def show(args: argparse.Namespace, out: Output) -> int:
    """One tournament: what it is, who is in, what it takes."""
    with Api(reading_login()) as api:
        found = api.get(path_of(args.tournament))
        entries = list(api.pages(path_of(args.tournament, "/entries")))
    out.document({"tournament": found, "entries": entries})
    _say(found, out)
    table = [
        [
            str(entry["seeding"] or ""),
            entry["name"],
            f"v{entry['version_number']}" if entry["version_number"] else "",
            ", ".join(entry["members"]) or "the house",
            "withdrew" if entry["withdrawn_at"] else str(entry["rank"] or ""),
        ]
        for entry in entries
    ]
    out.table(["seed", "bot", "version", "of", "rank"], table)
    return GOOD


def _say(found: dict[str, Any], out: Output) -> None:
    out.line(
        f"{found['title']}: {found['format'].replace('_', ' ')} on {found['ladder']}, {found['state']}",
        "bold",
    )
    if found["reason"]:
        out.line(found["reason"])
    if found["is_paused"]:
        out.line("It is paused.")
    times = f"Registration ends {hour(found['registration_ends_at'])}, it starts {hour(found['starts_at'])}."
    if found["state"] in ("draft", "open", "frozen"):
        out.line(times)
    if not found["shows_results"]:
        out.line(f"Tables and results are hidden until {hour(found['hidden_until'])}.")
    if found["estimate"]:
        out.line(estimate_line(found["estimate"]))


def estimate_line(estimate: dict[str, Any]) -> str:
    """How much there is to play, in a sentence."""
    how = "as measured" if estimate["is_measured"] else "if each seat uses up its clock"
    text = (
        f"{estimate['entries']} entries: {estimate['matches']} matches in {estimate['rounds']} rounds, "
        f"{estimate['match_s']:.3g} s each ({how})"
    )
    if estimate["remaining_s"] is None:
        return f"{text}; no worker is there to play them."
    left = duration(estimate["remaining_s"])
    return f"{text}, {estimate['slots']} at a time: {left} {'left' if estimate['played'] else 'in all'}."


def duration(seconds: float) -> str:
    """A length of time in the two units that matter: 2 h 5 min, 3 min 20 s."""
    whole = round(seconds)
    if whole >= _UNITS["h"]:
        return f"{whole // 3_600} h {whole % 3_600 // 60} min"
    return f"{whole // 60} min {whole % 60} s" if whole >= _UNITS["m"] else f"{whole} s"


def hour(text: str | None) -> str:
    """A time of the server's on the clock of whoever reads."""
    return datetime.fromisoformat(text).astimezone().strftime("%Y-%m-%d %H:%M") if text else ""


def create(args: argparse.Namespace, out: Output) -> int:
    """Make a tournament; with --estimate only say what it would take."""
    given = {name: getattr(args, name) for name in (*_PLAN, *_TIMES)}
    plan = {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in given.items()
        if value is not None and value is not False
    }
    login = current_login()
    with Api(login) as api:
        if args.estimate:
            found = api.post("tournaments/estimate", json=plan)
            out.document(found)
            out.line(estimate_line(found))
            return GOOD
        if "starts_at" not in plan:
            raise wrong_use("Say when it starts: --starts 30m, or --starts 2030-01-04T20:00.")
        made = api.post("tournaments", json={**plan, "is_open": not args.draft})
    page = f"{login.url}/tournaments/{made['slug']}/"
    out.document({**made, "address": page})
    out.line(page, "green")
    _say(made, out)
    if not made["is_listed"]:
        out.line("It is unlisted: whoever has this address may look, and enter.")
    return GOOD


def enter(args: argparse.Namespace, out: Output) -> int:
    """Enter a bot of one's own."""
    with Api(current_login()) as api:
        bots = list(api.pages("bots", mine="true"))
        bot = next((one for one in bots if args.bot in (one["id"], one["name"])), None) or next(
            (one for one in bots if one["name"].casefold() == args.bot.casefold()), None
        )
        if bot is None:
            raise CliError("no_such_bot", f"You have no bot called {args.bot}. `haunt status` lists yours.")
        body = {"bot": bot["id"]}
        if args.version is not None:
            body["version"] = _version(api, bot, args.version)
        entry = api.post(path_of(args.tournament, "/entries"), json=body)
    out.document(entry)
    chosen = f"v{args.version}" if args.version else "its newest active version at the freeze"
    out.line(f"{entry['name']} is in, with {chosen}.", "green")
    return GOOD


def _version(api: Api, bot: dict[str, Any], number: int) -> str:
    for version in api.pages(f"bots/{bot['id']}/versions"):
        if version["number"] == number:
            return str(version["id"])
    raise CliError("not_found", f"{bot['name']} has no version {number}. `haunt status` tells its newest.")


def withdraw(args: argparse.Namespace, out: Output) -> int:
    """Take a bot out; after the freeze it forfeits what is to come."""
    with Api(current_login()) as api:
        entries = list(api.pages(path_of(args.tournament, "/entries")))
        found = [one for one in entries if args.bot.casefold() in (one["bot"], one["name"].casefold())]
        if not found:
            raise CliError(
                "not_found", f"{args.bot} is not in {args.tournament}. `haunt tournament show` lists who is."
            )
        api.delete(path_of(args.tournament, f"/entries/{found[0]['bot']}"))
    out.document({"withdrawn": found[0]["name"]})
    out.line(f"{found[0]['name']} has withdrawn.", "green")
    return GOOD


def bracket(args: argparse.Namespace, out: Output) -> int:
    """The bracket, drawn in the terminal."""
    with Api(reading_login()) as api:
        found = api.get(path_of(args.tournament, "/bracket"))
    out.document(found)
    if not found["nodes"]:
        out.line("There are no tables yet: they are laid out when registration has ended.")
    else:
        out.line("\n".join(draw(found, args.width or out.width)))
    return GOOD


def results(args: argparse.Namespace, out: Output) -> int:
    """Standings with what parted each from the one before; to a file as CSV, or everything as JSON."""
    with Api(reading_login()) as api:
        found = api.get(path_of(args.tournament, "/standings"))
        if args.out is not None:
            _export(api, args.tournament, args.out, out)
    out.document(found)
    if found["state"] != "finished":
        out.line(f"It is {found['state']}; these are not the last standings.")
    if found["meetings"]:
        met = found["meetings"]
        out.line(f"Any two met {met['least']} to {met['most']} times.")
    out.table(["rank", "bot", "version", "points", "why"], [standing(row) for row in found["rows"]])
    return GOOD


def standing(row: dict[str, Any]) -> list[str]:
    """A row of the standings as cells."""
    version = f"v{row['version_number']}" if row["version_number"] else ""
    return [str(row["rank"]), row["name"], version, figure(row["points"]), row["why"]]


def figure(points: float) -> str:
    """Points without the digits that say nothing."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def _export(api: Api, slug: str, path: Path, out: Output) -> None:
    if path.suffix == ".csv":
        text = api.text(path_of(slug, "/standings"), export="csv")
    elif path.suffix == ".json":
        text = api.text(path_of(slug, "/export"))
    else:
        raise wrong_use("--out writes the standings to a .csv, or everything to a .json.")
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise CliError("unwritable", f"{path} cannot be written: {error.strerror}.") from None
    out.line(f"Written to {path}.", "green")
