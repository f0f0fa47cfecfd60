"""Records how each service of a running stack was started, so that `portico doctor` uses the same settings."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from portico_stack.machine.private_files import private_directory, write_private
from portico_stack.processes.programs import Program

_FOLDER: Final = "started"


class ServiceCommand(msgspec.Struct, frozen=True):
    """The last start of a service; most secrets are in files that `settings` name."""

    argv: tuple[str, ...]
    settings: dict[str, str]


def write_service_command(data: Path, service: str, program: Program) -> None:
    """Records how a service is started, readable only by its owner."""
    settings = {name: value for name, value in program.env.items() if name.startswith("PORTICO_")}
    encoded = msgspec.json.encode(ServiceCommand(program.argv, settings)).decode()
    write_private(private_directory(data / _FOLDER) / f"{service}.json", encoded)


def find_service_command(data: Path, service: str) -> ServiceCommand | None:
    path = data / _FOLDER / f"{service}.json"
    return msgspec.json.decode(path.read_bytes(), type=ServiceCommand) if path.exists() else None
