from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from portico_contracts.catalogue import OPERATOR

from portico_stack.machine.binaries import NATS_SERVER, find_program
from portico_stack.machine.private_files import private_directory, write_private
from portico_stack.processes.programs import Program
from portico_stack.servers import nats
from portico_stack.servers.probes import nats_answers

SERVERS: Final = 3


@dataclass(frozen=True)
class NatsCluster:
    """Three servers below a data directory; `tls`: over TLS only, also between them, by the name localhost."""

    data: Path
    ports: Sequence[int]
    route_ports: Sequence[int]
    passwords: Mapping[str, str] = field(repr=False)
    route_password: str = field(repr=False)
    tls: nats.TlsFiles | None = None

    @property
    def url(self) -> str:
        return ",".join(self._url(port) for port in self.ports)

    def _url(self, port: int) -> str:
        return f"tls://localhost:{port}" if self.tls else f"nats://127.0.0.1:{port}"

    def programs(self) -> list[Program]:
        argv = str(find_program(NATS_SERVER))
        return [
            Program(
                f"nats-{number}",
                (argv, "--config", str(self._configure(number))),
                partial(nats_answers, self.ports[number - 1]),
                nats.environment(),
                folder=self.data / str(number),
            )
            for number in range(1, SERVERS + 1)
        ]

    async def prepare(self) -> None:
        from portico_stack.servers import nats_stream  # noqa: PLC0415  # allow import-place: only the start needs it

        await nats_stream.create_in_cluster(
            self.url, self.passwords[OPERATOR], replicas=SERVERS, ca_file=nats.ca_file(self.tls)
        )

    def _configure(self, number: int) -> Path:
        folder = private_directory(self.data / str(number))
        host = "localhost" if self.tls else "127.0.0.1"
        routes = [f"nats-route://server:{self.route_password}@{host}:{port}" for port in self.route_ports]
        cluster = f"""\
cluster {{
  name: "portico"
  listen: "127.0.0.1:{self.route_ports[number - 1]}"
  authorization {{ user: "server", password: {json.dumps(self.route_password)} }}
  routes: {json.dumps(routes)}
  {nats.tls(self.tls)}}}
{nats.tls(self.tls)}"""
        listen = f"127.0.0.1:{self.ports[number - 1]}"
        text = nats.config(folder, listen, self.passwords, server_name=f"portico-{number}") + cluster
        return write_private(folder / "nats.conf", text)
