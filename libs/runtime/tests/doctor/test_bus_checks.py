from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from portico_contracts.catalogue import BUS_SERVICES, BUS_USERS, permissions_of
from portico_harness.servers import RunningNats, running_alone
from portico_runtime.doctor.bus import check_bus
from portico_runtime.settings.sections.bus import BusSection
from portico_stack.machine.ports import free_port
from portico_stack.machine.private_files import write_private
from portico_stack.processes.programs import Program
from portico_stack.servers import nats
from pydantic import SecretStr

from .findings import gathered, of_level, printed

pytestmark = pytest.mark.servers

CANARY = "canary-of-nats-20be"
EVERYTHING = {"publish": ">", "subscribe": ">"}


class Altered(nats.NatsServer):
    """NATS with other users, then with defaults: no JetStream and a maximum payload of one mebibyte."""

    users: str = ""

    def program(self) -> Program:
        program = super().program()
        path = Path(program.argv[-1])
        if self.users:
            write_private(path, f'listen: "127.0.0.1:{self.port}"\n{self.users}')
        return program

    async def prepare(self) -> None:
        pass

    async def _ready(self) -> None:
        _reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.close()


@contextmanager
def altered(data: Path, *, users: str = "") -> Iterator[BusSection]:
    kind = type("Altered", (Altered,), {"users": users})
    server = kind(data, free_port(), dict.fromkeys(BUS_USERS, CANARY))
    with running_alone(server, contained=False):
        yield BusSection(bus_url=server.url, bus_password=SecretStr(CANARY))


@pytest.mark.parametrize("user", BUS_SERVICES)
async def test_generated_permissions_are_correct(nats_server: RunningNats, user: str) -> None:
    """Each user is refused the subjects and replies of all others, and the stream has its configuration."""
    found = await gathered(check_bus(nats_server.section(user), user))

    assert [finding.level for finding in found] == ["ok"] * 3, printed(found)


async def test_missing_stream_is_reported(tmp_path: Path) -> None:
    with altered(tmp_path) as section:
        found = await gathered(check_bus(section, "users"))

    assert of_level(found, "wrong") == "the stream EVENTS is missing"
    assert CANARY not in printed(found)


async def test_stream_with_fewer_replicas_is_reported(nats_server: RunningNats) -> None:
    """PORTICO_BUS_STREAM_REPLICAS does not change an existing stream."""
    section = nats_server.section("token").model_copy(update={"bus_stream_replicas": 3})
    found = await gathered(check_bus(section, "token"))

    assert of_level(found, "wrong") == "EVENTS has a different configuration: num_replicas 1 instead of 3"


async def test_missing_jetstream_and_small_payloads_are_reported(tmp_path: Path) -> None:
    users = [{"user": "users", "password": CANARY}]
    with altered(tmp_path, users=f"authorization {{ users: {json.dumps(users)} }}") as section:
        found = await gathered(check_bus(section, "users"))

    assert "JetStream does not respond" in of_level(found, "wrong")
    assert "messages are limited to 1048576 bytes" in of_level(found, "wrong")


async def test_user_with_every_subject_is_reported(tmp_path: Path) -> None:
    users = [{"user": "users", "password": CANARY, "permissions": EVERYTHING}]
    with altered(tmp_path, users=f"authorization {{ users: {json.dumps(users)} }}") as section:
        found = await gathered(check_bus(section, "users"))

    assert "may publish authz.v1.>, publish token.v1.>, publish keys.v1.>, read the answers for authz" in of_level(
        found, "wrong"
    )


async def test_permissions_of_an_older_release_are_reported(tmp_path: Path) -> None:
    """A user without the second subject of its requests is reported, although requests fail only when no replica
    is ready.
    """
    allowed = permissions_of("users")
    older = {
        "publish": list(allowed.publish),
        "subscribe": [subject for subject in allowed.subscribe if not subject.startswith("unready.")],
    }
    users = [{"user": "users", "password": CANARY, "permissions": older}]
    with altered(tmp_path, users=f"authorization {{ users: {json.dumps(users)} }}") as section:
        found = await gathered(check_bus(section, "users"))

    assert "the user users may not subscribe to unready.users.>" in of_level(found, "wrong")


async def test_server_without_authentication_is_reported(tmp_path: Path) -> None:
    with altered(tmp_path, users="\n") as section:
        found = await gathered(check_bus(section, "users"))

    assert "it accepts clients without a password" in of_level(found, "wrong")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"bus_password": SecretStr(CANARY)}, "it rejects the password of the user users"),
        ({"bus_url": "nats://127.0.0.1:9"}, "it does not respond within 4 s"),
    ],
    ids=["another password", "nothing there"],
)
async def test_unreachable_bus_and_refused_login_are_distinguished(
    nats_server: RunningNats, change: dict[str, object], text: str
) -> None:
    """An unreachable bus and a refused login are different findings, and neither shows the password."""
    found = await gathered(check_bus(nats_server.section("users").model_copy(update=change), "users"))

    assert text in of_level(found, "wrong")
    assert CANARY not in printed(found)
