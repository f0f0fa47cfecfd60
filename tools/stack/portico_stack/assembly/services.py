"""The services as processes: their settings and secrets."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from portico_contracts.gateway import PROXIES_VARIABLE
from portico_contracts.topology import TOPOLOGY, address_setting

from portico_stack.installation.installation import Installation
from portico_stack.machine import http_probe
from portico_stack.machine.private_files import private_directory, write_private
from portico_stack.processes.programs import LIGHT_PYTHON, NotReady, Program

DRAIN_SECONDS: Final = 1
"""Drain time when a local stack stops."""

_NOT_FOR_SERVICES: Final = ("PORTICO_STACK_", "PORTICO_DEMO_", "PORTICO_TEST_", "PORTICO_GATEWAY_")
_OURS: Final = frozenset(
    f"PORTICO_{name}"
    for name in (
        "BUS_URL", "BUS_PASSWORD", "REDIS_URL", "REDIS_PASSWORD", "MONGO_URL", "MONGO_PASSWORD", "MASTER_KEYS",
        "LOGIN_API_KEY", "AUTHZ_URL", "SMTP_HOST", "SMTP_PORT", "SMTP_SECURITY", "SMTP_CA_FILE", "SMTP_USER",
        "SMTP_PASSWORD", "SMTP_FROM", "TOKEN_URL", "KEYS_URL", "USERS_URL", "CONSOLE_CLIENT_KEY",
    )
)  # fmt: skip
"""Settings decided by the stack; values in the caller's shell for ``portico apply`` must not reach a service."""


@dataclass(frozen=True, slots=True)
class Replica:
    """One process of a service; `internal_port` is for /healthz, /readyz and /metrics, `grpc_port` for plain gRPC."""

    name: str
    service: str
    port: int
    internal_port: int
    grpc_port: int | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def grpc_address(self) -> str:
        """Host and port of plain gRPC; empty where not supported."""
        return f"127.0.0.1:{self.grpc_port}" if self.grpc_port else ""

    async def ready(self) -> None:
        answer = await http_probe.get(self.internal_port, "/readyz")
        if answer.status != 200:
            raise NotReady(", ".join(http_probe.not_ok(answer.body)))

    async def alive(self) -> None:
        answer = await http_probe.get(self.internal_port, "/healthz")
        if answer.status != 200:
            raise ConnectionError


@dataclass(frozen=True, slots=True)
class Foreground:
    """The service that uses the terminal, so that pdb works in it; debugpy listens on localhost only, 0 for none."""

    service: str = ""
    debug_port: int = 0

    def applied(self, program: Program, replica: Replica) -> Program:
        """The program of a replica, changed when it is of this service."""
        if replica.service != self.service:
            return program
        python, *arguments = program.argv
        debugger = ("-m", "debugpy", "--listen", f"127.0.0.1:{self.debug_port}") if self.debug_port else ()
        return replace(program, argv=(python, *debugger, *arguments), foreground=True)


@dataclass(frozen=True)
class SharedSettings:
    """Settings common to the services.

    `service_urls` are comma-separated; `wait_replicas` Redis replicas must acknowledge a write, and
    `stream_replicas` NATS servers have a copy of each event (0 for the default); `outbound_allow` is as
    `PORTICO_OUTBOUND_ALLOW`.
    """

    issuer: str
    authz_url: str
    redis_url: str
    mongo_url: str
    bus_url: str
    bus_passwords: Mapping[str, str] = field(repr=False)
    wait_replicas: int = 0
    stream_replicas: int = 0
    outbound_allow: str = ""
    mail_server: Mapping[str, str] = field(default_factory=dict, repr=False)
    service_urls: Mapping[str, str] = field(default_factory=dict)
    zitadel_names: bool = False
    mtls_url: str = ""
    mtls_key: str = field(default="", repr=False)


def program_of(replica: Replica, shared: SharedSettings, secrets: Path, extra: Mapping[str, str]) -> Program:
    """`secrets` is the service's directory (see `write_secrets`); `extra` takes precedence."""
    workload = TOPOLOGY[replica.service]
    settings = {
        "PORTICO_ISSUER": shared.issuer,
        "PORTICO_PORT": str(replica.port),
        "PORTICO_INTERNAL_PORT": str(replica.internal_port),
        "PORTICO_DRAIN_SECONDS": str(DRAIN_SECONDS),
        "PORTICO_SECRETS_DIR": str(secrets),
    }
    if replica.grpc_port:
        settings["PORTICO_GRPC_PORT"] = str(replica.grpc_port)
    if workload.bus:
        settings["PORTICO_BUS_URL"] = shared.bus_url
    if workload.redis:
        settings["PORTICO_REDIS_URL"] = shared.redis_url
    settings |= _if_more("PORTICO_REDIS_WAIT_REPLICAS", shared.wait_replicas)
    settings |= _if_more("PORTICO_BUS_STREAM_REPLICAS", shared.stream_replicas)
    if workload.mongo:
        settings["PORTICO_MONGO_URL"] = shared.mongo_url
    if workload.login_api:
        settings["PORTICO_AUTHZ_URL"] = shared.authz_url
    # Calls to authz also bypass the gateway, at the address that balances its replicas.
    settings |= {address_setting(name): shared.service_urls[name] for name in workload.calls if name != "authz"}
    if shared.mtls_url:
        settings |= {"PORTICO_MTLS_URL": shared.mtls_url, "PORTICO_MTLS_GATEWAY_KEY": shared.mtls_key}
    if shared.zitadel_names:
        settings["PORTICO_ZITADEL_NAMES"] = "true"
    if workload.mail:
        settings |= shared.mail_server
    if workload.outbound:
        allowed = (os.environ.get("PORTICO_OUTBOUND_ALLOW", ""), shared.outbound_allow)
        settings["PORTICO_OUTBOUND_ALLOW"] = ",".join(filter(None, allowed))
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name == PROXIES_VARIABLE or (not name.startswith(_NOT_FOR_SERVICES) and name not in _OURS)
    }
    return Program(
        replica.name,
        (sys.executable, "-m", workload.module),
        replica.ready,
        {**inherited, **LIGHT_PYTHON, **settings, **extra},
        replica.alive,
    )


def _if_more(setting: str, number: int) -> dict[str, str]:
    return {setting: str(number)} if number else {}


def write_secrets(service: str, installation: Installation, shared: SharedSettings, directory: Path) -> Path:
    """Writes the service's own secrets, one file per setting; returns the directory."""
    values = {
        "bus_password": shared.bus_passwords.get(service, ""),
        "redis_password": installation.redis_passwords.get(service, ""),
        "mongo_password": installation.mongo_passwords.get(service, ""),
        "master_keys": installation.master_keys_of(service) if TOPOLOGY[service].master_key else "",
        "login_api_key": installation.login_api_key,
        "console_client_key": installation.console_client_key,
    }
    private_directory(directory)
    for name in TOPOLOGY[service].secrets:
        write_private(directory / f"portico_{name}", values[name])
    return directory
