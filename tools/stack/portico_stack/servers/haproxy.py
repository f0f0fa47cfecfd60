from __future__ import annotations

from dataclasses import dataclass

from portico_stack.gateway.haproxy import CONFIGURATION, HaproxySite, haproxy_files
from portico_stack.machine.binaries import find_haproxy, haproxy_version
from portico_stack.machine.private_files import private_directory, write_private
from portico_stack.machine.public_name import LOCALHOST
from portico_stack.processes.programs import Program
from portico_stack.servers.gateway import GatewayServer

_CERTIFICATE = "site.pem"


@dataclass(frozen=True)
class HaproxyServer(GatewayServer):
    """HAProxy, as installed or named by the environment. SIGUSR2 reloads configuration and certificate."""

    kind = "haproxy"

    def program(self) -> Program:
        program = find_haproxy()
        private_directory(self.data)
        for name, text in haproxy_files(self._site()).items():
            write_private(self.data / name, text)
        if self.https:
            self._link_certificate()
        argv = (str(program), "-W", "-f", str(self.data / CONFIGURATION))
        return Program("gateway", argv, self._ready, self._environment())

    @property
    def described(self) -> str:
        return f"HAProxy {haproxy_version(find_haproxy())}"

    def _link_certificate(self) -> None:
        served = self._served_certificate()
        for path, target in ((self.data / _CERTIFICATE, served.file), (self.data / f"{_CERTIFICATE}.key", served.key)):
            path.unlink(missing_ok=True)
            path.symlink_to(target)

    def _site(self) -> HaproxySite:
        hosts = [f"[{host}]" if ":" in host else host for host in self._listen_on()]
        return HaproxySite(
            listen=tuple(f"{host}:{self.port}" for host in hosts),
            upstreams=self.upstreams,
            grpc=self.grpc,
            login_api=f"127.0.0.1:{self.login_api_port}",
            certificate=_CERTIFICATE if self.https else "",
            strict_transport=self.host != LOCALHOST,
            ready_port=self.health_port,
            resolvers=self.resolvers,
            threads=1,
            ready_ports=self.ready_ports,
            mtls_listen=tuple(f"{host}:{self.mtls_port}" for host in hosts) if self.mtls_port else (),
        )
