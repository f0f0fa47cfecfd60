"""``python -m portico_login_ui`` serves; ``check-settings`` prints the settings in force."""

from __future__ import annotations

from portico_runtime import service

from portico_login_ui.app import create_app
from portico_login_ui.settings import Settings

if __name__ == "__main__":
    service.run("login-ui", Settings, create_app)
