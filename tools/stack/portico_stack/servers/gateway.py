"""What is the same for every program that can be the gateway: one origin in front of the services."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from portico_contracts.gateway import PROXIES_VARIABLE

from portico_stack import http_probe
from portico_stack.local_authority import LocalAuthority
from portico_stack.processes import Program, without_portico
from portico_stack.public_name import LOCALHOST, Certificate


@dataclass(frozen=True)
class GatewayServer(ABC):
    """The gateway of a local stack.

    Args:
        data: a directory of its own.
        upstreams: by service, the addresses of its replicas.
        login_api_port: where the login pages reach authz, whichever replica it is.
        grpc: by service, where its replicas speak plain gRPC.
        https: with a certificate of the local authority, which lies beside the data directory, or with a given one.
        host: the name it is reached by.
        resolvers: DNS servers that know the replicas' names; none for those of the machine.
        health_port: the inner port of every replica, where all have the same.
        ready_ports: by address, the inner port of that replica, where each has its own.
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
    ready_ports: Mapping[str, int] = field(default_factory=dict)

    kind: ClassVar[str]
    """The word that chooses it."""

    @property
    def url(self) -> str:
        """The issuer."""
        scheme, port_of_scheme = ("https", 443) if self.https else ("http", 80)
        return f"{scheme}://{self.host}" + ("" if self.port == port_of_scheme else f":{self.port}")

    @property
    def ca_file(self) -> Path | None:
        """The certificate browsers and clients have to trust, with https: the authority's, or the given one itself."""
        if self.certificate:
            return self.certificate.file
        return self._authority.file if self.https else None

    @abstractmethod
    def program(self) -> Program:
        """Writes the configuration and returns the program to run.

        Raises:
            ProgramMissing: when it is not installed.
        """

    @property
    @abstractmethod
    def described(self) -> str:
        """Its name and version."""

    def _environment(self) -> dict[str, str]:
        """That of this process, without what is Portico's and not the gateway's."""
        proxies = {name: value for name, value in os.environ.items() if name == PROXIES_VARIABLE}
        return {**without_portico(os.environ), **proxies}

    async def prepare(self) -> None:  # noqa: B027 - no program needs it, every server of a stack has it
        """Nothing to do."""

    @property
    def _authority(self) -> LocalAuthority:
        return LocalAuthority(self.data.parent / "authority")

    def _served_certificate(self) -> Certificate:
        """The given certificate, or one of the local authority."""
        return self.certificate or self._authority.issue(self.host)

    async def _ready(self) -> None:
        # Any answer of its own will do: the services behind it are not its readiness.
        await http_probe.get(self.port, "/nothing", ca_file=self.ca_file, host=self.host)
