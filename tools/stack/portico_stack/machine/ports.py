from __future__ import annotations

import fcntl
import os
import random
import socket
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

_RANGE: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")
_LOWEST: Final = 20_000
_claimed: Final[set[int]] = set()


class NoFreePort(RuntimeError):
    pass


def is_free(port: int) -> bool:
    return all(_can_bind(family, host, port) for family, host in _loopback())


def free_pair(preferred: int | None, distance: int) -> int:
    """Returns a free port with another free one at `distance` above it, as a node of a Redis Cluster needs."""
    if preferred and is_free(preferred) and is_free(preferred + distance):
        return preferred
    highest = max(_first_outgoing() - distance, _LOWEST + 1)
    for _ in range(200):
        port = random.randrange(_LOWEST, highest)  # noqa: S311 - not a secret
        if all(is_free(one) and _claim(one) for one in (port, port + distance)):
            return port
    raise NoFreePort(f"no free pair of ports between {_LOWEST} and {highest}")


def free_port(preferred: int | None = None) -> int:
    """Returns the preferred port if free, else a random free one that no other caller gets while this process runs.

    Random ones are below the kernel's ephemeral range: a port of that range could be in use by an outgoing
    connection when a restarted process needs it.
    """
    if preferred and is_free(preferred):
        return preferred
    highest = _first_outgoing()
    for _ in range(200):
        port = random.randrange(_LOWEST, highest)  # noqa: S311 - not a secret
        if is_free(port) and _claim(port):
            return port
    raise NoFreePort(f"no free port between {_LOWEST} and {highest}")


def loopback_addresses() -> tuple[str, ...]:
    """The loopback addresses of this machine: browsers try ``::1`` first for localhost."""
    return tuple(host for _family, host in _loopback())


def _claim(port: int) -> bool:
    """Reserves the port against all processes of this user, until this process ends in any way.

    Locks the byte at this offset, because the port may be listened on much later.
    """
    if port in _claimed:
        return False
    try:
        fcntl.lockf(_claims(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
    except OSError:
        return False
    _claimed.add(port)
    return True


@cache
def _claims() -> int:
    path = Path(tempfile.gettempdir()) / f"portico-ports-{os.getuid()}"
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)


def _loopback() -> list[tuple[socket.AddressFamily, str]]:
    both = [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
    return [(family, host) for family, host in both if _can_bind(family, host, 0)]


def _can_bind(family: socket.AddressFamily, host: str, port: int) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError:
        return False
    return True


def _first_outgoing() -> int:
    try:
        first = int(_RANGE.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return 32_768
    return first if first > _LOWEST + 1_000 else 65_536
