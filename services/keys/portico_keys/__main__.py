"""``python -m portico_keys`` (or ``check-settings``, ``doctor``)."""

from __future__ import annotations

from portico_runtime.process.memory.saving import save_memory

save_memory()

from portico_runtime.service import run

from portico_keys.app import create
from portico_keys.settings import Settings

if __name__ == "__main__":
    run("keys", Settings, create, doctor="portico_keys.doctor")
