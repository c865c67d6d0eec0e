"""Writes the JSON Schemas of all messages, of the protocol and of the workers' door, to docs/schemas.

python -m bots.schemas
"""

from __future__ import annotations

import json
from pathlib import Path

from bots import job, protocol


def write_schemas(folder: Path) -> None:
    """One file for each message."""
    for name, schema in (protocol.schemas() | job.schemas()).items():
        text = json.dumps(schema, indent=2, sort_keys=True) + "\n"
        (folder / f"{name}.json").write_text(text, encoding="ascii")


if __name__ == "__main__":
    write_schemas(Path(__file__).parents[1] / "docs" / "schemas")
