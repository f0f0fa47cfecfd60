"""How each service of a running stack is started, so that `portico doctor` looks with the same settings."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from portico_stack.private_files import private_directory, write_private
from portico_stack.processes import Program

_FOLDER: Final = "started"


class ServiceCommand(msgspec.Struct, frozen=True):
    """A service as it was started last.

    Attributes:
        argv: what runs.
        settings: those of the environment, by name; most secrets are in files that they name.
    """

    argv: tuple[str, ...]
    settings: dict[str, str]


def write_service_command(data: Path, service: str, program: Program) -> None:
    """Records how a service is started; its owner alone may read that."""
    settings = {name: value for name, value in program.env.items() if name.startswith("PORTICO_")}
    encoded = msgspec.json.encode(ServiceCommand(program.argv, settings)).decode()
    write_private(private_directory(data / _FOLDER) / f"{service}.json", encoded)


def find_service_command(data: Path, service: str) -> ServiceCommand | None:
    """How a service was started from a data directory, or None."""
    path = data / _FOLDER / f"{service}.json"
    return msgspec.json.decode(path.read_bytes(), type=ServiceCommand) if path.exists() else None
