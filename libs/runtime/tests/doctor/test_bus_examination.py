"""What the doctor finds of NATS: real servers with one fault each."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from portico_contracts.catalogue import BUS_SERVICES, BUS_USERS, permissions_of
from portico_harness.servers import RunningNats, running_alone
from portico_runtime.doctor.bus_examination import examine_bus
from portico_runtime.settings import BusSection
from portico_stack.ports import free_port
from portico_stack.private_files import write_private
from portico_stack.processes import Program
from portico_stack.servers import nats
from pydantic import SecretStr

from .findings import gathered, of_level, printed

pytestmark = pytest.mark.servers

CANARY = "canary-of-nats-20be"
EVERYTHING = {"publish": ">", "subscribe": ">"}


class Altered(nats.NatsServer):
    """A NATS with other users, and then as it is installed: without JetStream, for messages of a mebibyte."""

    users: str = ""

    def program(self) -> Program:
        """See `NatsServer.program`."""
        program = super().program()
        path = Path(program.argv[-1])
        if self.users:
            write_private(path, f'listen: "127.0.0.1:{self.port}"\n{self.users}')
        return program

    async def prepare(self) -> None:
        """See `NatsServer.prepare`; the stream is what some of them lack."""

    async def _ready(self) -> None:
        _reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.close()


@contextmanager
def altered(data: Path, *, users: str = "") -> Iterator[BusSection]:
    """A server of one test: the settings to reach it."""
    kind = type("Altered", (Altered,), {"users": users})
    server = kind(data, free_port(), dict.fromkeys(BUS_USERS, CANARY))
    with running_alone(server, contained=False):
        yield BusSection(bus_url=server.url, bus_password=SecretStr(CANARY))


@pytest.mark.parametrize("user", BUS_SERVICES)
async def test_every_service_is_well_with_the_generated_permissions(nats_server: RunningNats, user: str) -> None:
    """The stream has its form, and each user is refused the subjects and the answers of all others."""
    found = await gathered(examine_bus(nats_server.section(user), user))

    assert [finding.level for finding in found] == ["ok"] * 3, printed(found)


async def test_a_stream_that_is_missing(tmp_path: Path) -> None:
    """No event is delivered without it."""
    with altered(tmp_path) as section:
        found = await gathered(examine_bus(section, "users"))

    assert of_level(found, "wrong") == "the stream EVENTS is missing"
    assert CANARY not in printed(found)


async def test_a_stream_of_fewer_servers_than_is_set(nats_server: RunningNats) -> None:
    """PORTICO_BUS_STREAM_REPLICAS changes no stream that is there."""
    section = nats_server.section("token").model_copy(update={"bus_stream_replicas": 3})
    found = await gathered(examine_bus(section, "token"))

    assert of_level(found, "wrong") == "EVENTS has a different configuration: num_replicas 1 instead of 3"


async def test_a_server_without_jetstream_or_with_small_messages(tmp_path: Path) -> None:
    """Both are seen at once: the one stores no event, the other refuses imports."""
    users = [{"user": "users", "password": CANARY}]
    with altered(tmp_path, users=f"authorization {{ users: {json.dumps(users)} }}") as section:
        found = await gathered(examine_bus(section, "users"))

    assert "JetStream does not respond" in of_level(found, "wrong")
    assert "messages are limited to 1048576 bytes" in of_level(found, "wrong")


async def test_a_user_with_every_subject(tmp_path: Path) -> None:
    """It could speak for each other service, and read what they are answered."""
    users = [{"user": "users", "password": CANARY, "permissions": EVERYTHING}]
    with altered(tmp_path, users=f"authorization {{ users: {json.dumps(users)} }}") as section:
        found = await gathered(examine_bus(section, "users"))

    assert "may publish authz.v1.>, publish token.v1.>, publish keys.v1.>, read the answers for authz" in of_level(
        found, "wrong"
    )


async def test_permissions_of_an_older_release(tmp_path: Path) -> None:
    """A user without the second subject of its requests is found: no request shows it before no replica is ready."""
    allowed = permissions_of("users")
    older = {
        "publish": list(allowed.publish),
        "subscribe": [subject for subject in allowed.subscribe if not subject.startswith("unready.")],
    }
    users = [{"user": "users", "password": CANARY, "permissions": older}]
    with altered(tmp_path, users=f"authorization {{ users: {json.dumps(users)} }}") as section:
        found = await gathered(examine_bus(section, "users"))

    assert "the user users may not subscribe to unready.users.>" in of_level(found, "wrong")


async def test_a_server_that_wants_no_password(tmp_path: Path) -> None:
    """Whatever the user may, everybody else may more."""
    with altered(tmp_path, users="\n") as section:
        found = await gathered(examine_bus(section, "users"))

    assert "it accepts clients without a password" in of_level(found, "wrong")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"bus_password": SecretStr(CANARY)}, "it rejects the password of the user users"),
        ({"bus_url": "nats://127.0.0.1:9"}, "it does not respond within 4 s"),
    ],
    ids=["another password", "nothing there"],
)
async def test_a_bus_that_lets_nobody_in(nats_server: RunningNats, change: dict[str, object], text: str) -> None:
    """The two are different findings; the password is in neither."""
    found = await gathered(examine_bus(nats_server.section("users").model_copy(update=change), "users"))

    assert text in of_level(found, "wrong")
    assert CANARY not in printed(found)
