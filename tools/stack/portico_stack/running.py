"""What a running stack leaves on the disk for ``portico apply`` and ``portico status``: addresses, no secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from portico_stack.private_files import write_private

_FILE: Final = "running.json"


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """A stack that is up.

    Attributes:
        ca_file: certificate to trust with https, empty without.
        internal_ports: by name of the replica.
    """

    issuer: str
    gateway_port: int
    bus_url: str
    internal_ports: dict[str, int]
    ca_file: str = ""


def find_running(data: Path) -> Running | None:
    """What runs from a data directory, or None."""
    path = data / _FILE
    return msgspec.json.decode(path.read_bytes(), type=Running) if path.exists() else None


def write_running(data: Path, running: Running) -> None:
    """Records that a stack is up."""
    write_private(data / _FILE, msgspec.json.encode(running).decode())


def forget_running(data: Path) -> None:
    """Removes the record of a running stack."""
    (data / _FILE).unlink(missing_ok=True)
