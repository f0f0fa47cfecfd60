"""Networks and hosts as operators write them in settings."""

from __future__ import annotations

import ipaddress
import re
from typing import Final

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_HOST: Final = re.compile(r"[a-z0-9._:-]+\Z")


def read_allow_list(text: str) -> frozenset[tuple[str, int]]:
    """Parses ``host:port,…``."""
    return frozenset(_read_entry(entry.strip()) for entry in text.split(",") if entry.strip())


def read_networks(text: str) -> tuple[Network, ...]:
    """Parses networks and addresses (``10.1.0.0/16,fd00::/8,192.0.2.7``), separated by commas or spaces."""
    return tuple(ipaddress.ip_network(entry) for entry in text.replace(",", " ").split())


def _read_entry(entry: str) -> tuple[str, int]:
    host, colon, port = entry.rpartition(":")
    host = host.removeprefix("[").removesuffix("]").lower()
    if not colon or not _HOST.match(host) or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise ValueError(f"{entry} is not host:port")
    return host, int(port)
