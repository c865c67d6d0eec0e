"""The schemas in docs/schemas are those of the code."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from bots.schemas import write_schemas

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"


def test_the_schemas_on_disk_are_the_ones_of_the_code(tmp_path: Path) -> None:
    write_schemas(tmp_path)
    written = {path.name: path.read_text() for path in tmp_path.iterdir()}
    on_disk = {
        path.name: path.read_text()
        for kind in ("protocol", "worker")
        for path in SCHEMAS.glob(f"{kind}-*.json")
    }
    assert on_disk == written
    for text in written.values():
        jsonschema.Draft202012Validator.check_schema(json.loads(text))
