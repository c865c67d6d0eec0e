"""The golden playthroughs stand as written; `make golden` rewrites them."""

from __future__ import annotations

import pytest

from engine.golden import FOLDER, cases, path_of, playthrough, schemas
from engine.registry import make_game


@pytest.mark.parametrize("case", list(cases()), ids=lambda case: ".".join(map(str, case)))
def test_nothing_moved(case):
    path = path_of(*case)
    assert path.exists(), f"no golden playthrough {path.name}: write it with `make golden`"
    name, mode, seats = case
    assert playthrough(make_game(name, seats, mode)) == path.read_text(encoding="utf-8")


def test_no_file_is_left_over():
    assert set(FOLDER.glob("*")) == {path_of(*case) for case in cases()}


@pytest.mark.parametrize(
    ("path", "schema"), list(schemas().items()), ids=lambda value: getattr(value, "name", "")
)
def test_schemas_stand_as_built(path, schema):
    assert path.read_text(encoding="utf-8") == schema, (
        f"{path.name} is not what the engine builds: `make golden`"
    )
