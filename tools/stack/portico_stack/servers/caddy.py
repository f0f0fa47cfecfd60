"""Caddy as the gateway: one origin in front of the five services."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from portico_stack import http_probe
from portico_stack.binaries import CADDY, find_program
from portico_stack.gateway import Site, caddyfile
from portico_stack.ports import loopback_addresses
from portico_stack.private_files import private_directory, write_private
from portico_stack.processes import Program, without_portico
from portico_stack.public_name import LOCALHOST, Certificate


@dataclass(frozen=True)
class CaddyServer:
    """The gateway of a local stack.

    Args:
        upstreams: by service, the addresses of its replicas.
        login_api_port: where the login pages reach authz, whichever replica it is.
        grpc: by service, where its replicas speak plain gRPC.
        https: with a certificate authority of its own, below the data directory, or with a given certificate.
        host: the name it is reached by.
    """

    data: Path
    port: int
    login_api_port: int
    upstreams: Mapping[str, tuple[str, ...]]
    grpc: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    https: bool = False
    host: str = LOCALHOST
    certificate: Certificate | None = None

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
        return self.data / "pki" / "authorities" / "local" / "root.crt" if self.https else None

    def program(self) -> Program:
        """Writes the configuration and returns the program to run.

        Raises:
            ProgramMissing: when there is no caddy.
        """
        private_directory(self.data)
        path = write_private(self.data / "Caddyfile", caddyfile(self._site()))
        argv = (str(find_program(CADDY)), "run", "--config", str(path), "--adapter", "caddyfile")
        homes = {"XDG_DATA_HOME": str(self.data), "XDG_CONFIG_HOME": str(self.data)}
        return Program("gateway", argv, self._ready, {**without_portico(os.environ), **homes})

    def _site(self) -> Site:
        options = [
            f"storage file_system {json.dumps(str(self.data))}",
            "skip_install_trust",
            "auto_https disable_redirects",
        ]
        if self.https:
            # Java sends no name (SNI) for one without a dot, and no client sends one for an IP address.
            options.append(f"default_sni {self.host}")
        return Site(
            address=f"https://{self.host}:{self.port}" if self.https else f"http://:{self.port}",
            upstreams=self.upstreams,
            grpc=self.grpc,
            login_api=f"http://127.0.0.1:{self.login_api_port}",
            bind=loopback_addresses(),
            options=tuple(options),
            tls=(self._tls(),) if self.https else (),
        )

    def _tls(self) -> str:
        if self.certificate is None:
            return "tls internal"
        return "tls " + " ".join(json.dumps(str(path)) for path in self.certificate)

    async def prepare(self) -> None:
        """Nothing to do."""

    async def _ready(self) -> None:
        # Any answer of its own will do: the services behind it are not its readiness.
        await http_probe.get(self.port, "/nothing", ca_file=self.ca_file, host=self.host)
