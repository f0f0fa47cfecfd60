"""Which MongoDB last used a data directory, before a mongod that cannot read it starts there.

A mongod reads what its own line and the one before stored. Its version is noted once it runs, because its files name
only that of the storage engine. A note whose engine is no longer that of the files does not count: the data were moved
without Portico (docs/guides/upgrade.md#servers).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from portico_runtime.doctor.server_lines import LINES, MONGODB, dotted

from portico_stack.machine.binaries import find_mongod
from portico_stack.machine.mongod_versions import mongod_version
from portico_stack.machine.private_files import write_private
from portico_stack.processes.programs import StartFailed
from portico_stack.servers.given import MONGO_URL

_NOTE: Final = "server-version"
_TURTLE: Final = "db/WiredTiger.turtle"
_LINES: Final = [line.version for line in LINES if line.server == MONGODB]
_ENGINE_OF_6_0: Final = 10
"""Only releases of Portico that left no note have used it."""


class DataOfOtherServer(StartFailed):
    pass


def require_stored_data(data: Path) -> None:
    """Raises DataOfOtherServer, and what `find_mongod` raises, before any part of a stack writes to its directory."""
    stored = [one for one in (data / "mongo", *(data / "mongo-set").glob("*")) if (one / _TURTLE).exists()]
    if stored and not os.environ.get(MONGO_URL):
        require_readable(stored, find_mongod())


def require_readable(directories: Iterable[Path], program: Path) -> None:
    """Raises DataOfOtherServer where two lines or more are between; within one, mongod decides by what is stored."""
    known = {data: used for data in directories if (used := _used_by(data))}
    version = mongod_version(program) if known else ()
    for data, used in known.items():
        if version and abs(_place(version) - _place(used)) > 1:
            raise DataOfOtherServer(_refusal(data, used, version))


def note_version(data: Path, version: str) -> None:
    write_private(data / _NOTE, f"{version} {_engine(data)}\n")


def _refusal(data: Path, used: tuple[int, ...], version: tuple[int, ...]) -> str:
    needed = [used[:2], *(one for one in _LINES if used[:2] < one < version[:2])][:2]
    return f"{data} has data of MongoDB {dotted(used)}, which MongoDB {dotted(version)} cannot read. It needs MongoDB {' or '.join(map(dotted, needed))}, or a backup that is restored into an empty directory: docs/guides/upgrade.md#servers. Nothing was changed."


def _used_by(data: Path) -> tuple[int, ...]:
    """Returns the version of the mongod that used it last, or its line; empty where that is unknown."""
    engine = _engine(data)
    try:
        version, _, noted = (data / _NOTE).read_text().strip().partition(" ")
    except FileNotFoundError:
        return _LINES[0] if engine and int(engine.partition(".")[0]) <= _ENGINE_OF_6_0 else ()
    return tuple(map(int, version.split("."))) if noted == engine else ()


def _engine(data: Path) -> str:
    """Returns the version of the storage engine; empty without data."""
    try:
        text = (data / _TURTLE).read_text(errors="replace")
    except FileNotFoundError:
        return ""
    found = re.search(r"^WiredTiger (\d+\.\d+\.\d+)", text, re.MULTILINE)
    return found.group(1) if found else ""


def _place(version: tuple[int, ...]) -> int:
    return sum(line <= version[:2] for line in _LINES)
