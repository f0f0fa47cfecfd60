"""``python -m portico_login_ui`` (or ``check-settings``, ``doctor``)."""

from __future__ import annotations

from portico_runtime.process.memory.saving import save_memory

save_memory()

from portico_runtime.service import run

from portico_login_ui.app import create_app
from portico_login_ui.settings import Settings

if __name__ == "__main__":
    run("login-ui", Settings, create_app)
