from __future__ import annotations

import fcntl
import os
from pathlib import Path

from portico_stack.machine.private_files import private_directory


class AlreadyRunning(RuntimeError):
    pass


class DirectoryLock:
    """Holds a data directory until `release`, or until the process ends in any way."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._file: int | None = None

    @property
    def held(self) -> bool:
        return self._file is not None

    def acquire(self) -> None:
        """Raises AlreadyRunning: another process holds the lock."""
        path = private_directory(self._data) / "lock"
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(file, 20).decode() or "unknown"
            os.close(file)
            raise AlreadyRunning(
                f"Portico is already running from {self._data} (process {holder}). Stop it first, or set --data to another directory."
            ) from None
        os.ftruncate(file, 0)
        os.write(file, str(os.getpid()).encode())
        self._file = file

    def release(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
