"""Two valid client secrets during a rotation, for applications and service users."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pytest
from portico_contracts.users import (
    GET_CLIENT,
    GET_SERVICE_USER,
    SECRET_USED,
    GetClient,
    GetServiceUser,
    SecretUsed,
    secret_name,
)
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
    managed: Any
    kind: str
    path: str
    client_id: str
    first: str = ""

    async def do(self, method: str, path: str, body: Any = None) -> ApiResponse:
        service = MACHINES if self.kind == "service user" else APPS
        return await call_as(self.managed, f"{service}.{method}", body or {}, by="owner", path=f"{self.path}{path}")

    async def replace(self, **body: Any) -> ApiResponse:
        if self.kind == "service user":
            return await self.do("GenerateMachineSecret", "/secret", body)
        word = self.kind.upper()
        return await self.do(f"Regenerate{word}ClientSecret", f"/{self.kind}_config/_generate_client_secret", body)

    async def end(self) -> ApiResponse:
        word = "Machine" if self.kind == "service user" else "Client"
        return await self.do(f"RemovePrevious{word}Secret", "/previous_secret")

    async def hashes(self) -> tuple[str, str, float]:
        if self.kind == "service user":
            found = await self.managed.users.call(GET_SERVICE_USER, GetServiceUser(client_id=self.client_id))
            holder = found.service_user
        else:
            holder = (await self.managed.users.call(GET_CLIENT, GetClient(client_id=self.client_id))).client
        return holder.secret_hash, holder.previous_secret_hash, holder.previous_secret_until

    async def read(self) -> dict[str, Any]:
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
async def test_previous_secret_stays_valid_as_requested(managed: Any, kind: str) -> None:
    """The token service gets both hashes and the end; the management API shows only the times."""
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
async def test_previous_secret_ends_at_once_by_default(managed: Any, kind: str, body: dict[str, int]) -> None:
    """An older secret that was still valid ends as well."""
    holder = await _holder(managed, kind)
    await holder.replace(keepSeconds=DAY)
    made = await holder.replace(**body)

    assert await holder.hashes() == (fingerprint(made.body["clientSecret"]), "", 0)
    assert "previousSecretUntil" not in made.body | await holder.read()


@pytest.mark.parametrize("kind", KINDS)
async def test_only_one_previous_secret(managed: Any, kind: str) -> None:
    """A second rotation ends the first secret even before its time is over."""
    holder = await _holder(managed, kind)
    second = (await holder.replace(keepSeconds=DAY)).body["clientSecret"]
    third = (await holder.replace(keepSeconds=60)).body["clientSecret"]

    assert (await holder.hashes())[:2] == (fingerprint(third), fingerprint(second))


@pytest.mark.parametrize("kind", KINDS)
async def test_previous_secret_can_be_ended(managed: Any, kind: str) -> None:
    """The current secret stays; without a previous one nothing changes."""
    holder = await _holder(managed, kind)
    made = await holder.replace(keepSeconds=DAY)
    ended, again = await holder.end(), await holder.end()

    assert (ended.code, again.code, again.error_code) == (0, 9, "USER-702")
    assert await holder.hashes() == (fingerprint(made.body["clientSecret"]), "", 0)
    assert "previousSecretUntil" not in await holder.read()


@pytest.mark.parametrize("kind", KINDS)
async def test_previous_secret_is_valid_for_thirty_days_at_most(managed: Any, kind: str) -> None:
    """A longer time is refused with its field, and the secret is not replaced."""
    holder = await _holder(managed, kind)
    refused = await holder.replace(keepSeconds=30 * DAY + 1)
    allowed = await holder.replace(keepSeconds=30 * DAY)

    assert (refused.code, refused.fields, allowed.code) == (3, ["keepSeconds"], 0)
    assert (await holder.hashes())[1] == fingerprint(holder.first)


@pytest.mark.parametrize("kind", KINDS)
async def test_concurrent_rotations(managed: Any, kind: str) -> None:
    """Each returned secret is the current or the previous one, or its rotation was refused."""
    holder = await _holder(managed, kind)
    answers = await asyncio.gather(*(holder.replace(keepSeconds=DAY) for _ in range(2)))
    made = {fingerprint(one.body["clientSecret"]) for one in answers if one.code == 0}

    newest, former, _until = await holder.hashes()
    assert newest in made
    assert former in made - {newest} | {fingerprint(holder.first)}
    assert made <= {newest, former}


async def test_method_without_secret_ends_both(managed: Any) -> None:
    """Neither secret returns with the method."""
    holder = await _holder(managed, "oidc")
    await holder.replace(keepSeconds=DAY)
    await holder.do("UpdateOIDCAppConfig", "/oidc_config", {**CODE, **URIS, **FREE})
    await holder.do("UpdateOIDCAppConfig", "/oidc_config", {**CODE, **URIS})

    assert await holder.hashes() == ("", "", 0)


async def test_removing_a_service_user_secret_ends_both(managed: Any) -> None:
    """Removing the secret of a service user also ends the previous one."""
    holder = await _holder(managed, "service user")
    await holder.replace(keepSeconds=DAY)
    await holder.do("RemoveMachineSecret", "/secret")

    assert await holder.hashes() == ("", "", 0)


async def test_first_secret_has_no_previous_one(managed: Any) -> None:
    holder = await _holder(managed, "service user")
    await holder.do("RemoveMachineSecret", "/secret")
    made = await holder.replace(keepSeconds=DAY)

    assert await holder.hashes() == (fingerprint(made.body["clientSecret"]), "", 0)


async def test_other_changes_keep_both_secrets(managed: Any) -> None:
    holder = await _holder(managed, "oidc")
    await holder.replace(keepSeconds=DAY)
    before = await holder.hashes()
    await holder.do("UpdateApp", "", {"name": "store"})

    assert await holder.hashes() == before


async def test_secrets_have_age_end_and_last_use(managed: Any) -> None:
    """A replaced secret ends with its own expiry, if that is earlier; the last use is that of each secret."""
    holder = await _holder(managed, "oidc")
    now = managed.users.clock.now()
    await holder.replace(expiresAfterDays=1)
    newest, _previous, _until = await holder.hashes()
    await managed.users.bus.send(
        SECRET_USED, SecretUsed(client_id=holder.client_id, name=secret_name(newest), at=now + 7)
    )
    await managed.users.bus.send(
        SECRET_USED, SecretUsed(client_id=holder.client_id, name=secret_name(newest), at=now + 5)
    )
    await holder.replace(keepSeconds=7 * DAY, expiresAfterDays=365)
    client = (await managed.users.call(GET_CLIENT, GetClient(client_id=holder.client_id))).client
    current, previous = (await holder.read())["secrets"]

    assert client.secret_until == pytest.approx(now + 365 * DAY)
    assert client.previous_secret_until == pytest.approx(now + DAY)
    assert set(current) == {"creationDate", "expirationDate"}
    assert previous["isPrevious"]
    assert datetime.fromisoformat(previous["lastUsed"]).timestamp() == pytest.approx(now + 7)
    assert datetime.fromisoformat(previous["creationDate"]).timestamp() == pytest.approx(now)


async def test_ending_secrets_need_attention(managed: Any) -> None:
    """Within 30 days and afterwards; a rotation ends it."""
    holder = await _holder(managed, "oidc")

    async def found() -> list[dict[str, Any]]:
        response = await call_as(managed, "portico.management.v1.StatisticsService.GetStatistics", {}, by="owner")
        return [one for one in response.body["statistics"]["attention"] if one["kind"] == "ATTENTION_KIND_SECRET_ENDS"]

    await holder.replace(expiresAfterDays=31)
    before = await found()
    await holder.replace(expiresAfterDays=29)
    [ending] = await found()
    await holder.replace()

    assert before == []
    assert (ending["name"], ending["count"], ending["projectId"]) == ("shop", 1, f"p-{managed.tag}")
    assert await found() == []


async def test_secret_of_a_service_user_has_age_end_and_last_use(managed: Any) -> None:
    """Token gets the end; the reminder leads to the service user."""
    holder = await _holder(managed, "service user")
    now = managed.users.clock.now()
    await holder.replace(expiresAfterDays=20)
    newest, _previous, _until = await holder.hashes()
    used = SecretUsed(client_id=holder.client_id, name=secret_name(newest), at=now + 7)
    await managed.users.bus.send(SECRET_USED, used)
    shown = await holder.read()
    found = await managed.users.call(GET_SERVICE_USER, GetServiceUser(client_id=holder.client_id))
    response = await call_as(managed, "portico.management.v1.StatisticsService.GetStatistics", {}, by="owner")
    ending = [one for one in response.body["statistics"]["attention"] if one["kind"] == "ATTENTION_KIND_SECRET_ENDS"]

    assert found.service_user.secret_until == pytest.approx(now + 20 * DAY)
    times = [shown[f"secret{name}"] for name in ("CreationDate", "LastUsed", "ExpirationDate")]
    assert [datetime.fromisoformat(one).timestamp() for one in times] == pytest.approx([now, now + 7, now + 20 * DAY])
    assert [(one["id"], one.get("projectId", "")) for one in ending] == [(holder.client_id, "")]
