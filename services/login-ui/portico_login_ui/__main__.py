"""``python -m portico_login_ui`` (or ``check-settings``, ``doctor``)."""

from __future__ import annotations

from portico_runtime.deferred_modules import defer_modules
from portico_runtime.optional_libraries import leave_out_optional_libraries

leave_out_optional_libraries(used=frozenset({"aiohttp"}))
defer_modules()

from portico_runtime.service import run

from portico_login_ui.app import create_app
from portico_login_ui.settings import Settings

if __name__ == "__main__":
    run("login-ui", Settings, create_app)
