from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from portico_contracts.gateway import MTLS_KEY_VARIABLE, PROXIES_VARIABLE

from portico_stack.machine import http_probe
from portico_stack.machine.ports import loopback_addresses
from portico_stack.machine.public_name import LOCALHOST, Certificate
from portico_stack.processes.programs import Program, without_portico

if TYPE_CHECKING:
    from portico_stack.machine.local_authority import LocalAuthority


@dataclass(frozen=True)
class GatewayServer(ABC):
    """The gateway of a local stack.

    Args:
        login_api_port: for the login pages; balances the replicas of authz.
        health_port: the internal port of every replica, where all have the same.
        listen: the address to listen on; empty for those of loopback.
        public_url: where users reach it, if not at its own address.
        ready_ports: by address, the internal port of that replica, where they differ.
        mtls_port: for client certificates, 0 for none; only with https. `mtls_key` is its key, as token has it.
    """

    data: Path
    port: int
    login_api_port: int
    upstreams: Mapping[str, tuple[str, ...]]
    grpc: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    https: bool = False
    host: str = LOCALHOST
    certificate: Certificate | None = None
    resolvers: tuple[str, ...] = ()
    health_port: int | None = None
    listen: str = ""
    public_url: str = ""
    ready_ports: Mapping[str, int] = field(default_factory=dict)
    mtls_port: int = 0
    mtls_key: str = field(default="", repr=False)

    kind: ClassVar[str]

    @property
    def url(self) -> str:
        if self.public_url:
            return self.public_url
        scheme, port_of_scheme = ("https", 443) if self.https else ("http", 80)
        return f"{scheme}://{self.host}" + ("" if self.port == port_of_scheme else f":{self.port}")

    @property
    def mtls_url(self) -> str:
        return f"https://{self.host}:{self.mtls_port}" if self.mtls_port else ""

    @property
    def ca_file(self) -> Path | None:
        if self.certificate:
            return self.certificate.file
        return self._authority.file if self.https else None

    @abstractmethod
    def program(self) -> Program:
        """Writes the configuration and returns the program to run."""

    @property
    @abstractmethod
    def described(self) -> str:
        pass

    def _environment(self) -> dict[str, str]:
        proxies = {name: value for name, value in os.environ.items() if name == PROXIES_VARIABLE}
        key = {MTLS_KEY_VARIABLE: self.mtls_key} if self.mtls_port else {}
        return {**without_portico(os.environ), **proxies, **key}

    async def prepare(self) -> None:  # noqa: B027 - no program needs it, every server of a stack has it
        pass

    def _listen_on(self) -> tuple[str, ...]:
        return (self.listen,) if self.listen else loopback_addresses()

    @property
    def _authority(self) -> LocalAuthority:
        from portico_stack.machine.local_authority import LocalAuthority  # noqa: PLC0415  # allow import-place: with https only

        return LocalAuthority(self.data.parent / "authority")

    def _served_certificate(self) -> Certificate:
        return self.certificate or self._authority.issue(self.host)

    async def _ready(self) -> None:
        # Any response of its own is enough: its readiness does not depend on the services.
        await http_probe.get(self.port, "/nothing", ca_file=self.ca_file, host=self.host)
