"""Calls the house and the world."""

import socket
import sys

from sdk import run


def tried(name, act):
    """Whether something that must not work worked."""
    try:
        result = act()
    except Exception as error:
        sys.stderr.write(f"contained {name}: {error}\n")
    else:
        sys.stderr.write(f"ESCAPED {name}: {result!r:.200}\n")


def attack():
    def call(family, address):
        with socket.socket(family, socket.SOCK_STREAM) as line:
            line.settimeout(0.2)
            line.connect(address)

    def shout():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
            line.sendto(b"x", ("8.8.8.8", 53))

    for port in (22, 80, 5432, 6379, 8000):
        tried(f"port {port}", lambda port=port: call(socket.AF_INET, ("127.0.0.1", port)))
    tried("outside", lambda: call(socket.AF_INET, ("1.1.1.1", 443)))
    tried("datagram", shout)
    tried("abstract socket", lambda: call(socket.AF_UNIX, "\0/tmp/dbus"))
    tried("docker socket", lambda: call(socket.AF_UNIX, "/var/run/docker.sock"))
    tried("name", lambda: socket.getaddrinfo("localhost.localdomain.example", 80))


def choose(observation, legal, context):
    if context.turn == 1:
        attack()
    return legal[0]["id"]


run(choose)
