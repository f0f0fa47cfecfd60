"""``python -m portico_authz`` (or ``check-settings``, ``doctor``)."""

from __future__ import annotations

from portico_runtime.process.memory.saving import save_memory

save_memory()

from portico_runtime.service import run

from portico_authz.app import create
from portico_authz.settings import AuthzSettings

if __name__ == "__main__":
    run("authz", AuthzSettings, create, doctor="portico_authz.doctor")
