"""Rows of languages whose files are played as they are."""

from __future__ import annotations

from typing import Final

from workers.runtimes.row import Runtime
from workers.sandbox.policy import GIB, MIB, Limits

_CHECK_PYTHON: Final = """\
import os, sys
bad = 0
for folder, folders, names in os.walk("."):
    folders.sort()
    for name in sorted(names):
        if not name.endswith(".py"):
            continue
        path = os.path.join(folder, name)[2:]
        try:
            with open(path, "rb") as file:
                compile(file.read(), path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            bad = 1
            print(f"{path}:{getattr(error, 'lineno', None) or 1}: {getattr(error, 'msg', None) or error}")
            if getattr(error, "text", None):
                print("    " + error.text.strip()[:200])
sys.exit(bad)
"""

PYTHON: Final = Runtime(
    language="python",
    programs=("/usr/bin/python3", "/usr/local/bin/python3"),
    package="python3",
    check=("{program}", "-s", "-S", "-c", _CHECK_PYTHON),
    run=("{program}", "-s", "-S", "{bot}/{entry}"),
    limits=Limits(address_space=512 * MIB),
    environment={
        "PYTHONPATH": "{bot}:{haunt}:/usr/lib/python3/dist-packages",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
    },
    memory_signs=(b"MemoryError", b"Cannot allocate memory"),
    version=("{program}", "-c", "import sys; print('Python', sys.version.split()[0])"),
    extras=(("{program}", "-s", "-S", "-c", "import numpy; print('numpy', numpy.__version__)"),),
    self_test='import engine.registry, sdk\nprint(\'{"type":"ready"}\')\n',
)

JAVASCRIPT: Final = Runtime(
    language="javascript",
    programs=("/usr/bin/node", "/usr/local/bin/node"),
    package="nodejs",
    check=("{program}", "--check", "{bot}/{entry}"),
    run=("{program}", "--max-old-space-size=256", "{bot}/{entry}"),
    limits=Limits(address_space=4 * GIB, processes=48),
    memory_signs=(b"heap out of memory", b"Allocation failed", b"out of memory"),
    version=("{program}", "-p", "'Node.js ' + process.versions.node"),
    self_test='console.log(\'{"type":"ready"}\');\n',
)
