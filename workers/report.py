"""HTTP to the ladder's workers' door: claim, renew, fetch, put, report, heartbeat.

A request is repeated while repeating it is harmless, which all of them are: a claim that was granted
but never heard of runs out, and the same report twice is one report.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import httpx
import msgspec

from bots import job as wire
from workers.errors import ArtefactError, LadderError, SupersededError

MAX_ARTEFACT: Final = 80 << 20
"""An artefact is a canonical tar of at most 64 MiB and its headers."""
_TIMEOUT: Final = httpx.Timeout(10.0, connect=3.0)
_RENEW_TIMEOUT: Final = httpx.Timeout(3.0)
_FIRST_PAUSE_S: Final = 0.2
_LONGEST_PAUSE_S: Final = 3.0
_CLAIM_PATIENCE_S: Final = 10.0
_NOT_FOR_US: Final = frozenset({409, 426, 404})


class LadderClient:
    """The workers' door of one ladder. Safe to use from several threads, not across a fork."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._http = httpx.Client(
            base_url=url,
            timeout=_TIMEOUT,
            headers={wire.WORKER_HEADER: f"Worker {token}", "Content-Type": "application/json"},
        )
        self._clock = clock
        self._pause = pause

    def close(self) -> None:
        self._http.close()

    def claim(self, request: wire.ClaimRequest) -> wire.MatchJob | wire.BuildJob | None:
        """The job that a doorbell was for, or None when there is none for us. Raises LadderError."""
        response = self._patiently(
            "POST", "/internal/claims", until=self._clock() + _CLAIM_PATIENCE_S, content=wire.write(request)
        )
        if response.status_code in _NOT_FOR_US:
            return None
        _expect(response, 200)
        try:
            return msgspec.json.decode(response.content, type=wire.MatchJob | wire.BuildJob)
        except msgspec.MsgspecError as error:
            raise LadderError(f"the ladder gave a job that cannot be read: {error}") from error

    def renew(self, url: str, fence: int) -> None:
        """Ask once for more time. Raises SupersededError, or LadderError when no good answer came."""
        try:
            response = self._http.post(
                url, content=wire.write(wire.Renewal(fence=fence)), timeout=_RENEW_TIMEOUT
            )
        except httpx.HTTPError as error:
            raise LadderError(f"no renewal: {error}") from error
        _expect(response, 204)

    def fetch(self, url: str, *, until: float) -> bytes:
        """An artefact or a source, read to its end and no further than allowed. Raises ArtefactError."""
        try:
            response = self._patiently("GET", url, until=until, limit=MAX_ARTEFACT)
            _expect(response, 200)
        except LadderError as error:
            raise ArtefactError(str(error)) from error
        return response.content

    def put(self, url: str, data: bytes, *, until: Callable[[], float]) -> None:
        """Hand over what was built. Raises SupersededError or LadderError."""
        headers = {"Content-Type": "application/octet-stream"}
        response = self._patiently("PUT", url, until=until, content=data, headers=headers)
        if not response.is_success:
            _expect(response, 204)

    def report(
        self, url: str, report: wire.MatchReport | wire.BuildReport, *, until: Callable[[], float]
    ) -> None:
        """Say how it went, and say it again until it is heard or `until()` has passed.

        Raises SupersededError, or LadderError also when the ladder refuses the report.
        """
        _expect(self._patiently("POST", url, until=until, content=wire.write(report)), 204)

    def heartbeat(self, beat: wire.Heartbeat) -> None:
        """Say once that this worker lives. Raises LadderError."""
        try:
            response = self._http.post(
                "/internal/heartbeat", content=wire.write(beat), timeout=_RENEW_TIMEOUT
            )
        except httpx.HTTPError as error:
            raise LadderError(f"no heartbeat: {error}") from error
        if not response.is_success:
            _expect(response, 204)

    def _patiently(
        self,
        method: str,
        url: str,
        *,
        until: float | Callable[[], float],
        limit: int | None = None,
        **request: Any,
    ) -> httpx.Response:
        """The first answer that is not a passing trouble. Raises LadderError when time is up."""
        pause = _FIRST_PAUSE_S
        while True:
            try:
                response = self._once(method, url, limit, **request)
                if response.status_code not in (429, 500, 502, 503, 504):
                    return response
                trouble = f"{method} {url} was answered with {response.status_code}"
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                trouble = f"{method} {url}: {error or type(error).__name__}"
            end = until() if callable(until) else until
            if self._clock() + pause > end:
                raise LadderError(trouble)
            self._pause(pause)
            pause = min(pause * 2, _LONGEST_PAUSE_S)

    def _once(self, method: str, url: str, limit: int | None, **request: Any) -> httpx.Response:
        """One exchange; with a limit, not more of the answer's body than that."""
        if limit is None:
            return self._http.request(method, url, **request)
        with self._http.stream(method, url, **request) as response:
            body = bytearray()
            for piece in response.iter_bytes():
                body += piece
                if len(body) > limit:
                    raise LadderError(f"{method} {url} sends more than {limit} bytes")
        return httpx.Response(response.status_code, content=bytes(body), request=response.request)


def _expect(response: httpx.Response, status: int) -> None:
    if response.status_code == 409:
        raise SupersededError("the ladder gave this attempt to somebody else")
    if response.status_code != status:
        detail = response.text[:300].replace("\n", " ")
        where = f"{response.request.method} {response.request.url.path}"
        raise LadderError(f"{where} was answered with {response.status_code}: {detail}")
