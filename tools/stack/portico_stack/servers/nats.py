from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from portico_contracts.catalogue import BUS_USERS, MAX_PAYLOAD, OPERATOR, permissions_of

from portico_stack.machine.binaries import NATS_SERVER, find_program
from portico_stack.machine.private_files import private_directory, write_private
from portico_stack.processes.programs import Program, without_portico
from portico_stack.servers.probes import nats_answers

LIMITS: Final = {"GOMAXPROCS": "1", "GOMEMLIMIT": "64MiB"}
"""With one thread for its work, an idle server wakes up half as often (decision 0089)."""

PING_MILLISECONDS: Final = 1_200
PINGS_UNANSWERED: Final = 2
"""A client that vanished without closing is dropped after at most four intervals (decision 0026): the one of its
last message, two with a ping each, and the one that finds both unanswered.
"""


class TlsFiles(NamedTuple):
    """TLS files of a server, which accepts only TLS then; `authority` is trusted by clients and other servers."""

    certificate: Path
    key: Path
    authority: Path


def tls(files: TlsFiles | None) -> str:
    """The ``tls`` block of clients, or of routes within the block ``cluster``; empty without files."""
    if files is None:
        return ""
    certificate, key, authority = (json.dumps(str(path)) for path in files)
    return f"tls {{ cert_file: {certificate}, key_file: {key}, ca_file: {authority} }}\n"


def password_variable(user: str) -> str:
    return f"PORTICO_STACK_BUS_PASSWORD_{user.upper().replace('-', '_')}"


def permissions() -> str:
    """The ``authorization`` block: every bus user with its subjects, from the catalogue; passwords are variables."""
    users = []
    for user in BUS_USERS:
        allowed = permissions_of(user)
        users.append(
            f"    {{\n      user: {json.dumps(user)}, password: ${password_variable(user)}\n"
            f"      permissions: {{\n"
            f"        publish: {{ allow: {_list(allowed.publish)} }}\n"
            f"        subscribe: {{ allow: {_list(allowed.subscribe)} }}\n"
            f"        allow_responses: true\n      }}\n    }}\n"
        )
    return "authorization {\n  users: [\n" + "".join(users) + "  ]\n}\n"


def pings() -> str:
    return f'ping_interval: "{PING_MILLISECONDS}ms"\nping_max: {PINGS_UNANSWERED}\n'


def _list(subjects: tuple[str, ...]) -> str:
    return "[" + "".join(f"\n          {json.dumps(subject)}" for subject in subjects) + "\n        ]"


def config(data: Path, listen: str, passwords: Mapping[str, str], *, server_name: str = "portico") -> str:
    """nats.conf: no monitoring port; an acknowledged event is on disk."""
    variables = "".join(f"{password_variable(user)}: {json.dumps(passwords[user])}\n" for user in BUS_USERS)
    return f"""\
{variables}
listen: {json.dumps(listen)}
server_name: {json.dumps(server_name)}
max_payload: {MAX_PAYLOAD}
jetstream {{
  store_dir: {json.dumps(str(data / "jetstream"))}
  sync_interval: always
  max_memory_store: 64MB
  max_file_store: 4GB
}}
{pings()}{permissions()}"""


@dataclass(frozen=True)
class NatsServer:
    """A NATS below a data directory; with `tls` over TLS only, by the name localhost."""

    data: Path
    port: int
    passwords: Mapping[str, str] = field(repr=False)
    bind: str = "127.0.0.1"
    tls: TlsFiles | None = None

    @property
    def url(self) -> str:
        return f"tls://localhost:{self.port}" if self.tls else f"nats://127.0.0.1:{self.port}"

    def write_configuration(self) -> Path:
        private_directory(self.data)
        text = config(self.data, f"{self.bind}:{self.port}", self.passwords) + tls(self.tls)
        return write_private(self.data / "nats.conf", text)

    def program(self) -> Program:
        argv = (str(find_program(NATS_SERVER)), "--config", str(self.write_configuration()))
        return Program("nats", argv, self._ready, environment(), folder=self.data)

    async def prepare(self) -> None:
        from portico_stack.servers import nats_stream  # noqa: PLC0415  # allow import-place: only the start needs it

        await nats_stream.create(self.url, self.passwords[OPERATOR], ca_file=ca_file(self.tls))

    async def _ready(self) -> None:
        await nats_answers(self.port)


def environment() -> dict[str, str]:
    return LIMITS | without_portico(os.environ)


def ca_file(files: TlsFiles | None) -> str:
    return str(files.authority) if files else ""
