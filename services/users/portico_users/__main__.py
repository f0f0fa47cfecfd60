"""Runs users: ``python -m portico_users`` (or ``check-settings``, ``doctor``)."""

from __future__ import annotations

from portico_runtime.deferred_modules import defer_modules
from portico_runtime.optional_libraries import leave_out_optional_libraries

leave_out_optional_libraries(used=frozenset({"bcrypt", "h2"}))
defer_modules()

from portico_runtime.http2_server import Http2Server
from portico_runtime.service import run

from portico_users.app import create_app
from portico_users.settings import Settings

if __name__ == "__main__":
    run("users", Settings, create_app, grpc_server=Http2Server, doctor="portico_users.doctor")
