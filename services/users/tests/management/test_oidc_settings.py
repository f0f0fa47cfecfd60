from __future__ import annotations

import asyncio
from typing import Any

import pytest
from portico_contracts.generated.portico.admin.v1.settings_service_pb2 import SetOIDCSettingsRequest
from portico_contracts.users import TokenLifetimes
from portico_fakes.management_api import ApiResponse, call_as
from portico_users.settings import Settings

pytestmark = pytest.mark.servers

IAM = "portico.admin.v1.SettingsService"
PLACES = ("accessTokenLifetime", "idTokenLifetime", "refreshTokenIdleExpiration", "refreshTokenExpiration")
DEFAULTS = dict(zip(PLACES, ("3600s", "3600s", "2592000s", "7776000s"), strict=True))
WANTED = dict(zip(PLACES, ("600s", "300s", "86400s", "172800s"), strict=True))
TOLD = TokenLifetimes(
    access_token_seconds=600, id_token_seconds=300, refresh_idle_seconds=86_400, refresh_seconds=172_800
)


async def do(managed: Any, name: str, body: Any = None) -> ApiResponse:
    return await call_as(managed, f"{IAM}.{name}OIDCSettings", body or {}, by="iam")


async def held(managed: Any) -> dict[str, Any]:
    settings: dict[str, Any] = (await do(managed, "Get")).body["settings"]
    assert settings.pop("details")["resourceOwner"] == "instance"
    return settings


async def test_operator_settings_are_the_default(managed: Any) -> None:
    """Lifetimes are added once, then changed; an unchanged request is refused."""
    before = await held(managed)
    added = await do(managed, "Add", WANTED)
    again = await do(managed, "Add", WANTED)
    same = await do(managed, "Update", WANTED)
    after = await held(managed)
    changed = await do(managed, "Update", DEFAULTS)

    assert before == DEFAULTS
    assert (added.code, added.body["details"]["resourceOwner"]) == (0, "instance")
    assert ((again.code, again.error_code), same.code) == ((6, "USER-932"), 9)
    assert after == WANTED
    assert changed.code == 0
    assert await held(managed) == DEFAULTS


async def test_lifetimes_can_be_changed_without_being_added(managed: Any) -> None:
    assert (await do(managed, "Update", WANTED)).code == 0
    assert await held(managed) == WANTED


async def test_first_settings_at_once_are_a_conflict(managed: Any) -> None:
    """The record that the other call has just created is no id that was chosen badly: the later call is repeated."""
    database = managed.users.parts.mongo.database
    for rows in ("instances", "ids"):
        await database[rows].delete_many({"_id": "instance"})
    await database["events"].delete_many({"object": "instance"})
    allow = f"{IAM}.SetImpersonationSettings", {"allowImpersonation": True}
    answers = await asyncio.gather(do(managed, "Update", WANTED), call_as(managed, *allow, by="iam"))

    assert {answer.error_code for answer in answers} == {"", "USER-012"}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("value", "error_code"),
    [("over", "USER-930"), ("59s", "USER-931"), ("0s", "USER-931"), ("-600s", "USER-931"), ("90.5s", "USER-931")],
)
async def test_invalid_lifetimes_are_refused(managed: Any, place: str, value: str, error_code: str) -> None:
    """Lifetimes above the storage time of keys and revocations (IR-16), too short ones and fractions of seconds
    are refused.
    """
    wrong = f"{int(DEFAULTS[place][:-1]) + 1}s" if value == "over" else value
    for name in ("Add", "Update"):
        refused = await do(managed, name, WANTED | {place: wrong})
        assert (refused.code, refused.error_code, refused.fields) == (3, error_code, [place])

    assert await held(managed) == DEFAULTS


@pytest.mark.parametrize("place", PLACES)
async def test_all_four_lifetimes_are_required(managed: Any, place: str) -> None:
    refused = await do(managed, "Update", {name: life for name, life in WANTED.items() if name != place})

    assert (refused.code, refused.fields) == (3, [place])


async def test_lifetimes_over_connect(managed: Any) -> None:
    """The same message is read and written over Connect."""
    message = SetOIDCSettingsRequest()
    for field in message.DESCRIPTOR.fields:
        getattr(message, field.name).FromJsonString(WANTED[field.json_name])
    response = await managed.api.connect(f"{IAM}.UpdateOIDCSettings", message, token=managed.tokens["iam"])

    assert response.code == 0, response.body
    assert await held(managed) == WANTED


async def test_clients_include_the_lifetimes(managed: Any) -> None:
    """The token service gets the lifetimes with applications and service users; the event has the changed fields."""
    await managed.furnish("owner")
    world = managed.users
    clients = [row["clientId"] for row in await world.rows("apps", projectId=f"p-owner-{managed.tag}")]
    before = [(await world.client(id)).lifetimes for id in clients]
    robot = (await world.service_user(f"bot-owner-{managed.tag}")).lifetimes
    await do(managed, "Update", WANTED)
    events = await world.rows("events", object="instance")

    assert len(clients) == 2
    assert (before, robot) == ([None, None], None)
    assert [(await world.client(id)).lifetimes for id in clients] == [TOLD, TOLD]
    assert (await world.service_user(f"bot-owner-{managed.tag}")).lifetimes == TOLD
    assert max(events, key=lambda event: event["sequence"])["fields"] == ["tokenLifetimes"]


class TestWithAnotherOperator:
    """The operator lowers the maximum after the instance has set its lifetimes."""

    @pytest.fixture
    def cheap_hashing(self, cheap_hashing: Settings) -> Settings:
        return cheap_hashing.model_copy(update={"access_token_seconds": 120})

    async def test_lifetimes_are_limited_to_the_new_maximum(self, managed: Any) -> None:
        """The effective lifetimes are returned, and other instance settings can still be changed."""
        assert (await do(managed, "Update", WANTED | {"accessTokenLifetime": "60s"})).code == 0
        instances = managed.users.parts.mongo.database["instances"]
        lives = {"accessToken": 600, "idToken": 300, "refreshIdle": 86_400, "refresh": 172_800}
        await instances.update_one({"_id": "instance"}, {"$set": {"tokenLifetimes": lives}})
        policy = await call_as(
            managed, "portico.admin.v1.PolicyService.UpdateLockoutPolicy", {"maxPasswordAttempts": 5}, by="iam"
        )

        assert await held(managed) == WANTED | {"accessTokenLifetime": "120s"}
        assert policy.code == 0, policy.body
