"""``python -m portico_token`` (or ``check-settings``, ``doctor``)."""

from __future__ import annotations

from portico_runtime.process.memory.saving import save_memory

save_memory()

from portico_runtime.service import run

from portico_token.app import create_app
from portico_token.settings import Settings

if __name__ == "__main__":
    run("token", Settings, create_app)
