"""``python -m portico_token`` (or ``check-settings``, ``doctor``)."""

from __future__ import annotations

from portico_runtime.deferred_modules import defer_modules
from portico_runtime.optional_libraries import leave_out_optional_libraries

leave_out_optional_libraries()
defer_modules()

from portico_runtime.service import run

from portico_token.app import create_app
from portico_token.settings import Settings

if __name__ == "__main__":
    run("token", Settings, create_app)
