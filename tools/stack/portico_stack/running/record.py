"""A running stack's record for ``portico apply`` and ``portico status``: addresses, no secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from portico_stack.machine.private_files import write_private

_FILE: Final = "running.json"


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """`ca_file` is the trusted certificate with https, empty without; `internal_ports` are by replica."""

    issuer: str
    gateway_port: int
    bus_url: str
    internal_ports: dict[str, int]
    ca_file: str = ""


def find_running(data: Path) -> Running | None:
    path = data / _FILE
    return msgspec.json.decode(path.read_bytes(), type=Running) if path.exists() else None


def write_running(data: Path, running: Running) -> None:
    write_private(data / _FILE, msgspec.json.encode(running).decode())


def forget_running(data: Path) -> None:
    (data / _FILE).unlink(missing_ok=True)
