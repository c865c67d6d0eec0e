"""What the hostile suite shares: one bench for all attacks, with a run folder and uids of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.workers.sandboxes import UID_BASE, sandbox
from workers.attacks.attack import Bench


@pytest.fixture(scope="session")
def bench() -> Iterator[Bench]:
    with sandbox() as launcher:
        yield Bench(launcher, uid_base=UID_BASE)
