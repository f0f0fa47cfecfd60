"""Two client secrets side by side while one is changed, of applications and of service users."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest
from portico_contracts.users import GET_CLIENT, GET_SERVICE_USER, GetClient, GetServiceUser
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.opaque import fingerprint

pytestmark = pytest.mark.servers

APPS = "portico.management.v1.AppService"
MACHINES = "portico.management.v1.ServiceUserService"
CODE = {"responseTypes": ["OIDC_RESPONSE_TYPE_CODE"], "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"]}
URIS = {"redirectUris": ["https://shop.example/cb"]}
FREE = {"authMethodType": "OIDC_AUTH_METHOD_TYPE_NONE"}
KINDS = ["oidc", "api", "service user"]
DAY = 86_400


@dataclass
class Holder:
    """Something with a client secret, and how that is replaced and ended."""

    managed: Any
    kind: str
    path: str
    client_id: str
    first: str = ""

    async def do(self, method: str, path: str, body: Any = None) -> ApiResponse:
        """Calls a method as the owner of the organization."""
        service = MACHINES if self.kind == "service user" else APPS
        return await call_as(self.managed, f"{service}.{method}", body or {}, by="owner", path=f"{self.path}{path}")

    async def replace(self, **body: Any) -> ApiResponse:
        """Makes a new secret."""
        if self.kind == "service user":
            return await self.do("GenerateMachineSecret", "/secret", body)
        word = self.kind.upper()
        return await self.do(f"Regenerate{word}ClientSecret", f"/{self.kind}_config/_generate_client_secret", body)

    async def end(self) -> ApiResponse:
        """Ends the former secret."""
        word = "Machine" if self.kind == "service user" else "Client"
        return await self.do(f"RemovePrevious{word}Secret", "/previous_secret")

    async def hashes(self) -> tuple[str, str, float]:
        """What token is answered: the newest fingerprint, the former one, and its end."""
        if self.kind == "service user":
            found = await self.managed.users.call(GET_SERVICE_USER, GetServiceUser(client_id=self.client_id))
            holder = found.service_user
        else:
            holder = (await self.managed.users.call(GET_CLIENT, GetClient(client_id=self.client_id))).client
        return holder.secret_hash, holder.previous_secret_hash, holder.previous_secret_until

    async def read(self) -> dict[str, Any]:
        """What the management API shows of it."""
        if self.kind == "service user":
            user = (await self.managed.get(self.client_id)).body["user"]
            return dict(user["machine"])
        return dict((await self.do("GetAppByID", "")).body["app"])


async def _holder(managed: Any, kind: str) -> Holder:
    if kind == "service user":
        bot = {"userName": f"bot-{managed.tag}", "name": "Bot"}
        added = await call_as(
            managed, f"{MACHINES}.AddMachineUser", bot, by="owner", path="/management/v1/users/machine"
        )
        holder = Holder(managed, kind, f"/management/v1/users/{added.body['userId']}", added.body["userId"])
        holder.first = (await holder.replace()).body["clientSecret"]
        return holder
    project = {"id": f"p-{managed.tag}", "name": "web"}
    organization = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    await managed.users.apply(organization | {"projects": [project]})
    path = f"/management/v1/projects/p-{managed.tag}/apps"
    body: dict[str, Any] = {"name": "shop"}
    if kind == "oidc":
        body |= CODE | URIS
    added = await call_as(managed, f"{APPS}.Add{kind.upper()}App", body, by="owner", path=f"{path}/{kind}")
    return Holder(managed, kind, f"{path}/{added.body['appId']}", added.body["clientId"], added.body["clientSecret"])


@pytest.mark.parametrize("kind", KINDS)
async def test_the_former_secret_is_kept_as_long_as_requested(managed: Any, kind: str) -> None:
    """Token gets both fingerprints and the end; the API shows the times, and neither secret nor fingerprint."""
    holder = await _holder(managed, kind)
    now = managed.users.clock.now()
    made = await holder.replace(keepSeconds=DAY)
    shown = await holder.read()
    events = str(await managed.users.rows("events", object=holder.path.rpartition("/")[2]))

    newest, former, until = await holder.hashes()
    assert (newest, former) == (fingerprint(made.body["clientSecret"]), fingerprint(holder.first))
    assert until == pytest.approx(now + DAY)
    assert shown["previousSecretUntil"] == made.body["previousSecretUntil"]
    assert shown["previousSecretReplaced"] < shown["previousSecretUntil"]
    assert former not in str(shown) + events
    assert newest not in str(shown) + events


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("body", [{}, {"keepSeconds": 0}])
async def test_without_a_time_the_former_secret_is_void_at_once(managed: Any, kind: str, body: dict[str, int]) -> None:
    """One that was kept before is void as well."""
    holder = await _holder(managed, kind)
    await holder.replace(keepSeconds=DAY)
    made = await holder.replace(**body)

    assert await holder.hashes() == (fingerprint(made.body["clientSecret"]), "", 0)
    assert "previousSecretUntil" not in made.body | await holder.read()


@pytest.mark.parametrize("kind", KINDS)
async def test_no_more_than_one_former_secret_is_kept(managed: Any, kind: str) -> None:
    """The third one takes the place of the first, whose time is not over."""
    holder = await _holder(managed, kind)
    second = (await holder.replace(keepSeconds=DAY)).body["clientSecret"]
    third = (await holder.replace(keepSeconds=60)).body["clientSecret"]

    assert (await holder.hashes())[:2] == (fingerprint(third), fingerprint(second))


@pytest.mark.parametrize("kind", KINDS)
async def test_the_former_secret_is_ended_once(managed: Any, kind: str) -> None:
    """The newest stays; where there is nothing to end, nothing changes."""
    holder = await _holder(managed, kind)
    made = await holder.replace(keepSeconds=DAY)
    ended, again = await holder.end(), await holder.end()

    assert (ended.code, again.code, again.error_code) == (0, 9, "USER-702")
    assert await holder.hashes() == (fingerprint(made.body["clientSecret"]), "", 0)
    assert "previousSecretUntil" not in await holder.read()


@pytest.mark.parametrize("kind", KINDS)
async def test_a_former_secret_is_kept_for_thirty_days_at_most(managed: Any, kind: str) -> None:
    """A longer time is refused at its field, and the secret stays."""
    holder = await _holder(managed, kind)
    refused = await holder.replace(keepSeconds=30 * DAY + 1)
    allowed = await holder.replace(keepSeconds=30 * DAY)

    assert (refused.code, refused.fields, allowed.code) == (3, ["keepSeconds"], 0)
    assert (await holder.hashes())[1] == fingerprint(holder.first)


@pytest.mark.parametrize("kind", KINDS)
async def test_of_two_changes_at_once_no_secret_is_lost_or_left(managed: Any, kind: str) -> None:
    """Each answered secret is the newest or the former one, or its change was refused."""
    holder = await _holder(managed, kind)
    answers = await asyncio.gather(*(holder.replace(keepSeconds=DAY) for _ in range(2)))
    made = {fingerprint(one.body["clientSecret"]) for one in answers if one.code == 0}

    newest, former, _until = await holder.hashes()
    assert newest in made
    assert former in made - {newest} | {fingerprint(holder.first)}
    assert made <= {newest, former}


async def test_a_method_without_a_secret_ends_both(managed: Any) -> None:
    """Neither comes back with the method."""
    holder = await _holder(managed, "oidc")
    await holder.replace(keepSeconds=DAY)
    await holder.do("UpdateOIDCAppConfig", "/oidc_config", {**CODE, **URIS, **FREE})
    await holder.do("UpdateOIDCAppConfig", "/oidc_config", {**CODE, **URIS})

    assert await holder.hashes() == ("", "", 0)


async def test_the_removal_of_a_service_users_secret_ends_both(managed: Any) -> None:
    """A program with the former one is refused as well."""
    holder = await _holder(managed, "service user")
    await holder.replace(keepSeconds=DAY)
    await holder.do("RemoveMachineSecret", "/secret")

    assert await holder.hashes() == ("", "", 0)


async def test_a_first_secret_has_no_former_one(managed: Any) -> None:
    """There is nothing to keep where there was no secret."""
    holder = await _holder(managed, "service user")
    await holder.do("RemoveMachineSecret", "/secret")
    made = await holder.replace(keepSeconds=DAY)

    assert await holder.hashes() == (fingerprint(made.body["clientSecret"]), "", 0)


async def test_other_settings_leave_both_secrets(managed: Any) -> None:
    """A change of something else ends none."""
    holder = await _holder(managed, "oidc")
    await holder.replace(keepSeconds=DAY)
    before = await holder.hashes()
    await holder.do("UpdateApp", "", {"name": "store"})

    assert await holder.hashes() == before
