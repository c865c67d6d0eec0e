"""Where the site of a house listens, and what people type to reach it."""

from __future__ import annotations

import contextlib
import random
import socket
from dataclasses import dataclass
from typing import Final

from ladder.common.embedded.errors import EmbeddedError

_SERVERS: Final = range(20_000, 32_768)
"""Above the well-known ports, below those of outgoing connections (Linux from 32768 on, others higher)."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the site listens and what people type."""

    host: str
    port: int
    public_url: str
    allowed_hosts: tuple[str, ...]

    @property
    def loopback_url(self) -> str:
        """How the processes of the house reach the site."""
        return f"http://127.0.0.1:{self.port}"


def make_address(*, port: int, lan: bool) -> Address:
    """On this machine alone, or with `lan` on the network that the default route leads to."""
    local = ("localhost", "127.0.0.1", "[::1]")
    if not lan:
        return Address("127.0.0.1", port, f"http://127.0.0.1:{port}", local)
    ip = _own_ip()
    return Address("0.0.0.0", port, f"http://{ip}:{port}", (*local, ip, socket.gethostname()))  # noqa: S104


def _own_ip() -> str:
    """The address that packets to the outside would carry; connecting a datagram socket sends none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def check_port_free(address: Address) -> None:
    """Raises EmbeddedError while somebody listens there."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address.host, address.port))
        except OSError as error:
            raise EmbeddedError(
                "port_taken",
                f"Port {address.port} cannot be used ({error.strerror}). "
                f"Choose another: PORT={address.port + 1} make up",
            ) from None


def free_port() -> int:
    """A port that nobody uses right now, and that no outgoing connection is given.

    A house keeps its port while it is down: one of those that the kernel gives to clients could be some
    client's when it comes back, even that of one who tries to reach it there.
    """
    for port in random.sample(_SERVERS, 100):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise EmbeddedError("no_port", f"No port from {_SERVERS.start} to {_SERVERS.stop - 1} is free.")
