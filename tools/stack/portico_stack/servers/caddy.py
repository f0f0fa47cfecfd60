from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass

from portico_stack.gateway.caddyfile import Site, caddyfile
from portico_stack.machine.binaries import CADDY, find_program
from portico_stack.machine.private_files import private_directory, write_private
from portico_stack.processes.programs import Program
from portico_stack.servers.gateway import GatewayServer


@dataclass(frozen=True)
class CaddyServer(GatewayServer):
    kind = "caddy"

    def program(self) -> Program:
        private_directory(self.data)
        path = write_private(self.data / "Caddyfile", caddyfile(self._site()))
        argv = (str(find_program(CADDY)), "run", "--config", str(path), "--adapter", "caddyfile")
        homes = {"XDG_DATA_HOME": str(self.data), "XDG_CONFIG_HOME": str(self.data)}
        return Program("gateway", argv, self._ready, {**self._environment(), **homes}, folder=self.data)

    @property
    def described(self) -> str:
        """The version as ``caddy version`` prints it, without the checksum."""
        said = subprocess.run((find_program(CADDY), "version"), capture_output=True, text=True, check=False).stdout
        return f"Caddy {(said.split() or ['?'])[0].removeprefix('v')}"

    def _site(self) -> Site:
        options = [
            f"storage file_system {json.dumps(str(self.data))}",
            "skip_install_trust",
            "auto_https disable_redirects",
        ]
        tls: tuple[str, ...] = ()
        if self.https:
            # Java sends no SNI for a name without a dot, and no client sends one for an IP address.
            options.append(f"default_sni {self.host}")
            tls = ("tls " + " ".join(json.dumps(str(path)) for path in self._served_certificate()),)
        return Site(
            address=f"https://{self.host}:{self.port}" if self.https else f"http://:{self.port}",
            upstreams=self.upstreams,
            grpc=self.grpc,
            login_api=f"http://127.0.0.1:{self.login_api_port}",
            bind=self._listen_on(),
            options=tuple(options),
            tls=tls,
            health_port=self.health_port,
            resolvers=self.resolvers,
            mtls_address=self.mtls_url,
        )
