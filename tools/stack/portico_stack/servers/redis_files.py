"""The files of Redis 6.2 and of Valkey in one data directory (docs/guides/upgrade.md#servers).

Redis 6.2 has one file, newer servers a directory. A newer server that finds both reads the directory only; Redis 6.2
reads the file only, and starts empty without one. A note in place of the file makes it refuse to start.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from portico_stack.machine.private_files import write_private

ONE_FILE: Final = "appendonly.aof"
DIRECTORY: Final = "appendonlydir"
GUIDE: Final = "docs/guides/upgrade.md#servers"

_MANIFEST: Final = f"{DIRECTORY}/{ONE_FILE}.manifest"
_NOTE: Final = f"The data are in {DIRECTORY}. {GUIDE} explains how Redis 6.2 gets them.\n"


class DataUnclear(RuntimeError):
    pass


def require_one_history(data: Path) -> None:
    """Raises DataUnclear where the server would start without the data of one of its files."""
    file, in_directory = data / ONE_FILE, _directory_has_data(data)
    noted = _is_note(file)
    if noted and not in_directory:
        raise DataUnclear(
            f"{data / DIRECTORY} is gone, which has the data of Redis according to {file}. Restore it, or delete {ONE_FILE} to start without sessions and tokens; see {GUIDE}."
        )
    if in_directory and not noted and file.exists() and file.stat().st_size:
        raise DataUnclear(
            f"Redis 6.2 wrote {file} and Valkey wrote {data / DIRECTORY}, and Valkey would read only its own. Move the older one away; see {GUIDE}."
        )


def leave_note(data: Path) -> None:
    """Makes Redis 6.2 refuse to start here, once a newer server has the data in its directory."""
    file = data / ONE_FILE
    if _directory_has_data(data) and not (file.exists() and file.stat().st_size):
        write_private(file, _NOTE)


def _is_note(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(len(_NOTE) + 1) == _NOTE.encode()
    except FileNotFoundError:
        return False


def _directory_has_data(data: Path) -> bool:
    """Reports whether a file of the manifest exists; none does before a newer server has moved the one file there."""
    try:
        lines = (data / _MANIFEST).read_text().splitlines()
    except FileNotFoundError:
        return False
    files = [words[1] for words in map(str.split, lines) if words[:1] == ["file"]]
    return any((data / DIRECTORY / name).exists() for name in files)
