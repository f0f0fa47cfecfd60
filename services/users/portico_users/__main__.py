"""Runs users: ``python -m portico_users`` (or ``check-settings``)."""

from __future__ import annotations

from portico_runtime.service import run

from portico_users.app import create_app
from portico_users.settings import Settings

if __name__ == "__main__":
    run("users", Settings, create_app)
