"""What tournaments say to people: what happened, and what parted two rows of the standings."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path

import ladder.tournaments.services
from ladder.tournaments.formats.plan import standings
from ladder.tournaments.formats.terms import Entrant, Format, Outcome, Standing, Terms, default_tie_breaks
from ladder.tournaments.models import Happening
from ladder.tournaments.standings import last_tables, sentence_of
from ladder.tournaments.words import SENTENCES, sentence


def test_every_happening_has_its_sentence() -> None:
    """Whatever kind a service notes, people read it in words."""
    folder = Path(*ladder.tournaments.services.__path__)
    kinds = {
        str(node.args[1].value)
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "note"
        if isinstance(node.args[1], ast.Constant)
    }
    assert kinds == set(SENTENCES)


def test_a_row_of_an_older_release_has_its_sentence() -> None:
    assert sentence(Happening(kind="round", facts={})) == "Round … was laid."
    assert sentence(Happening(kind="something_old", facts={})) == "Something old."


def table(key: str, *order: int) -> Outcome:
    points = {one: 1 - place / (len(order) - 1) for place, one in enumerate(order)}
    return Outcome(key, int(key[1]), order, points)


def told(terms: Terms, entrants: list[Entrant], done: list[Outcome]) -> list[tuple[int, str | None, str]]:
    rows, last = standings(terms, entrants, done), last_tables(done)
    words = ["", *(sentence_of(row, before, "Bat", last) for before, row in pairwise(rows))]
    return [(row.entrant, row.parted_by, text) for row, text in zip(rows, words, strict=True)]


def test_rows_are_parted_in_words() -> None:
    """Also where the later of two rules turns round who stands at the edge of the earlier one's group."""
    terms = Terms(format=Format.SWISS, seats=2, tie_breaks=default_tie_breaks(Format.SWISS), seed="s")
    done = [table("R1.1", 1, 4), table("R1.2", 2, 3), table("R2.1", 1, 2), table("R2.2", 4, 3)]
    assert told(terms, [Entrant(one, 5 - one) for one in (1, 2, 3, 4)], done) == [
        (1, None, ""),
        (4, "points", "1 point; Bat has 2."),
        (2, "seeding", "As many points. Seeded 3; Bat 1."),
        (3, "points", "0 points; Bat has 1."),
    ]


def test_how_far_everybody_came_is_told_by_tables() -> None:
    terms = Terms(
        format=Format.SINGLE_ELIMINATION, seats=2, tie_breaks=default_tie_breaks(Format.SINGLE_ELIMINATION)
    )
    done = [table("W1.1", 1, 4), table("W1.2", 3, 2), table("W2.1", 3, 1)]
    rows = told(terms, [Entrant(one, one) for one in (1, 2, 3, 4)], done)
    assert rows[0][:2] == (3, None)
    assert rows[1] == (1, "reached", "Came as far as W2.1, place 2; Bat as far as W2.1, place 1.")
    assert rows[2][2] == "Came as far as W1.2, place 2; Bat as far as W2.1, place 2."
    assert rows[3][1] == "seeding"


def test_who_did_not_go_on_from_a_group_is_told_by_its_place_there() -> None:
    def row(reached: float) -> Standing:
        return Standing(1, 1, 0.0, 1, {"reached": reached}, "reached")

    assert sentence_of(row(-3), row(-2), "Bat", {}) == "Place 3 in its group; Bat 2."
    assert sentence_of(row(-3), row(4.9), "Bat", {}) == "Place 3 in its group; Bat went on to the knock-out."
