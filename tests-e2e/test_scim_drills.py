"""A directory sends many users and groups at once, also while the users service is killed: nothing is lost or doubled.

``PORTICO_TEST_SCIM_PEOPLE=5000`` makes the drills larger.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from portico_harness.eventually import eventually
from portico_scenarios.participants import KnownUser
from portico_scenarios.relying_party import userinfo
from portico_scenarios.scim_provisioner import GROUP, Provisioner, provisioner_of
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long]

PEOPLE = int(os.environ.get("PORTICO_TEST_SCIM_PEOPLE", "1000"))
CHANGED = 120
"""People who are changed while the service is killed."""

LEAVERS = 4
KILLS = 3
AT_ONCE = 8
PASSWORD = "a whistle in the dark wood"


@dataclass
class Client:
    """Sends until it gets an answer of the server, as directories do."""

    directory: Provisioner
    ids: dict[int, str] = field(default_factory=dict)

    async def send(self, verb: str, path: str, body: Any = None) -> httpx.Response:
        async def ask() -> httpx.Response | None:
            try:
                return await self.directory.send(verb, path, body)
            except httpx.TransportError:
                return None

        answer = await eventually(ask, _is_answered)
        assert answer is not None
        return answer

    async def find(self, name: str) -> list[Any]:
        filter = f'userName eq "{self.directory.mail(name)}"'
        answer = await self.directory.owner.world.http.get(
            f"{self.directory.url}/Users", params={"filter": filter}, headers=self.directory.headers
        )
        assert answer.status_code == 200, answer.text
        found: list[Any] = answer.json()["Resources"]
        return found

    async def create(self, number: int) -> None:
        """A repetition after a lost answer is a conflict: then the account is looked up, as directories do."""
        name = f"user{number}"
        answer = await self.send("POST", "/Users", self.directory.person(name, title="Engineer"))
        assert answer.status_code in (201, 409), answer.text
        [found] = [answer.json()] if answer.status_code == 201 else await self.find(name)
        self.ids[number] = found["id"]

    async def patch(self, path: str, *operations: dict[str, Any]) -> httpx.Response:
        schema = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
        answer = await self.send("PATCH", path, {"schemas": [schema], "Operations": list(operations)})
        assert answer.status_code in (200, 204), answer.text
        return answer

    async def everybody(self) -> list[Any]:
        """All users, page by page with a cursor."""
        found, cursor = [], ""
        while True:
            page = (await self.send("GET", f"/Users?count=200&cursor={cursor}")).json()
            found += page["Resources"]
            if not (cursor := page.get("nextCursor", "")):
                return found


def _is_answered(answer: httpx.Response | None) -> bool:
    return answer is not None and answer.status_code < 500 and answer.status_code != 429


async def shared_out(numbers: Iterable[int], work: Callable[[int], Awaitable[object]]) -> None:
    waiting = iter(numbers)

    async def worker() -> None:
        for number in waiting:
            await work(number)

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(worker())


async def test_first_synchronization(doubled: World) -> None:
    """Each of a thousand people has one account, and the same people a second time change nothing."""
    client = Client(await provisioner_of(doubled))
    await shared_out(range(PEOPLE), client.create)
    first = await client.everybody()

    async def again(number: int) -> None:
        [found] = await client.find(f"user{number}")
        person = client.directory.person(f"user{number}", title="Engineer")
        answer = await client.send("PUT", f"/Users/{found['id']}", person)
        assert answer.status_code == 200, answer.text

    await shared_out(range(PEOPLE), again)
    second = await client.everybody()

    assert sorted(one["id"] for one in first) == sorted(client.ids.values())
    assert len({one["userName"] for one in first}) == PEOPLE
    assert sorted((one["id"], one["meta"]["version"]) for one in second) == sorted(
        (one["id"], one["meta"]["version"]) for one in first
    )


async def _token_of(client: Client, number: int) -> str:
    world, owner = client.directory.owner.world, client.directory.owner
    path, body = f"/v2/users/{client.ids[number]}/password", {"newPassword": {"password": PASSWORD}}
    assert (await owner.json("portico.user.v2.UserService.SetPassword", body, path=path)).code == 0
    person = KnownUser(client.ids[number], client.directory.mail(f"user{number}"), PASSWORD)
    token: str = (await world.tokens_of(person, "basic"))["access_token"]
    return token


async def test_killed_users_service(doubled: World) -> None:
    """No change is lost or doubled, members are as sent, and who was deactivated has no access at the next request."""
    client = Client(await provisioner_of(doubled))
    await shared_out(range(CHANGED), client.create)
    tokens = {number: await _token_of(client, number) for number in range(LEAVERS)}
    body = {"schemas": [GROUP], "displayName": f"Staff {client.directory.owner.tag}"}
    group = f"/Groups/{(await client.send('POST', '/Groups', body)).json()['id']}"
    done, seen_after = 0, []

    async def change(number: int) -> None:
        nonlocal done
        path, member = f"/Users/{client.ids[number]}", {"value": client.ids[number]}
        await client.patch(path, {"op": "Replace", "path": "title", "value": f"Title {number}"})
        await client.patch(group, {"op": "Add", "path": "members", "value": [member]})
        if number % 2:
            await client.patch(group, {"op": "Remove", "path": f'members[value eq "{member["value"]}"]'})
        if number < LEAVERS:
            await client.patch(path, {"op": "Replace", "path": "active", "value": "False"})
            answer = await userinfo(doubled.http, doubled.metadata, tokens[number])
            seen_after.append(answer.status_code)
        done += 1

    async def progress() -> int:
        return done

    async def kill() -> None:
        for number in range(KILLS):
            await eventually(progress, ((number + 1) * CHANGED // (KILLS + 1)).__le__)
            name = f"users-{number % 2 + 1}"
            doubled.stack.kill(name)
            await doubled.stack.wait_until_ready(name)

    await asyncio.gather(shared_out(range(CHANGED - 1, -1, -1), change), kill())
    await shared_out(range(CHANGED), client.create)
    shown = {one["userName"]: one for one in await client.everybody()}
    members = {one["value"] for one in (await client.send("GET", group)).json()["members"]}

    assert len(shown) == CHANGED
    assert {one["id"] for one in shown.values()} == set(client.ids.values())
    titles = {number: shown[client.directory.mail(f"user{number}")]["title"] for number in range(CHANGED)}
    assert titles == {number: f"Title {number}" for number in range(CHANGED)}
    assert members == {client.ids[number] for number in range(0, CHANGED, 2)}
    assert seen_after == [401] * LEAVERS
