"""Runs users: ``python -m portico_users`` (or ``check-settings``, ``doctor``)."""

from __future__ import annotations

from portico_runtime.process.memory.saving import save_memory

save_memory(used=frozenset({"bcrypt"}))

from portico_runtime.http_server.http2_server import Http2Server
from portico_runtime.service import run

from portico_users.app import create_app
from portico_users.settings import Settings

if __name__ == "__main__":
    run("users", Settings, create_app, grpc_server=Http2Server, doctor="portico_users.doctor")
