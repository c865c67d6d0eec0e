"""Real servers from wheels, as child processes, for `make up`, `make demo` and `make test`.

PostgreSQL and Valkey. Only the programs are taken from the wheels; how they are started, watched and
stopped is decided here.
"""

from ladder.common.embedded.errors import EmbeddedError
from ladder.common.embedded.postgres import Postgres
from ladder.common.embedded.processes import Child
from ladder.common.embedded.valkey import Valkey

__all__ = ["Child", "EmbeddedError", "Postgres", "Valkey"]
