"""What the sandbox raises."""

from __future__ import annotations

from workers.errors import WorkerError


class SandboxError(WorkerError):
    """The sandbox cannot be had here, or did not start: nothing was run. The sentence says why."""

    code = "sandbox_failed"
