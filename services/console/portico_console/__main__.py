"""``python -m portico_console`` (or ``check-settings``, ``doctor``)."""

from __future__ import annotations

from portico_runtime.process.memory.saving import save_memory

save_memory()

from portico_runtime.service import run

from portico_console.app import create
from portico_console.settings import Settings

if __name__ == "__main__":
    run("console", Settings, create)
