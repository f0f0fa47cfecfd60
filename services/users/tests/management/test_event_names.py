from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as
from portico_runtime.mongo.client import MongoClient
from portico_runtime.settings.sections.mongo import MongoSection
from portico_users.journal.event_log import EventLog
from portico_users.storage.listing import Page
from portico_users.values.names import INSTANCE

pytestmark = pytest.mark.servers


@pytest.fixture
def history() -> bool:
    return True


Call = Callable[..., Awaitable[ApiResponse]]
EVENTS = "portico.management.v1.EventService.ListEvents"
MANAGEMENT = "portico.management.v1"
V2 = "portico.user.v2.UserService"


@pytest.fixture
def ask(managed: Any) -> Call:
    async def call(name: str, body: Any, path: str = "", *, by: str = "owner", **more: Any) -> ApiResponse:
        return await call_as(managed, name, body, by=by, path=path, **more)

    return call


@pytest.fixture
async def changed(managed: Any, ask: Call) -> Any:
    await managed.furnish("owner")
    path = f"/management/v1/projects/p-owner-{managed.tag}/apps/oidc"
    body = {"name": "Shop", "redirectUris": ["https://shop.example/cb"], "responseTypes": ["OIDC_RESPONSE_TYPE_CODE"]}
    body |= {"grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"], "authMethodType": "OIDC_AUTH_METHOD_TYPE_NONE"}
    assert (await ask(f"{MANAGEMENT}.AppService.AddOIDCApp", body, path)).code == 0
    assert (await ask(f"{V2}.DeleteUser", {}, f"/v2/users/self-{managed.tag}", by="iam")).code == 0
    return managed


async def one(ask: Call, *, by: str = "owner", **conditions: Any) -> dict[str, Any]:
    listed = await ask(EVENTS, {**conditions, "query": {"limit": 1}}, by=by)
    (event,) = listed.body["result"]
    return dict(event)


async def test_event_has_names_of_editor_object_and_organization(changed: Any, ask: Call) -> None:
    """An event has the login name of its editor and the project of its application."""
    tag, org = changed.tag, changed.org_id
    event = await one(ask, aggregateTypes=["apps"], editorUserId=f"owner-{tag}")
    name = (await changed.get(f"owner-{tag}")).body["user"]["human"]["profile"]["displayName"]
    own = await ask(f"{MANAGEMENT}.OrganizationService.GetMyOrg", {}, "/management/v1/orgs/me")

    assert event["editor"] == {
        "id": f"owner-{tag}",
        "type": "users",
        "name": name,
        "loginName": f"owner-{tag}@{changed.domain(org)}",
        "resourceOwner": org,
    }
    of_org = {"resourceOwner": org}
    assert event["object"] == {"id": event["aggregateId"], "type": "apps", "name": "Shop", **of_org}
    assert event["organization"] == {"id": org, "type": "orgs", "name": own.body["org"]["name"], **of_org}
    assert event["related"] == [{"id": f"p-owner-{tag}", "type": "projects", "name": "project of owner", **of_org}]


async def test_system_and_service_users_are_distinguished(changed: Any, ask: Call) -> None:
    """Changes applied by the operator have the system as editor."""
    event = await one(ask, aggregateId=f"bot-owner-{changed.tag}")

    assert event["editor"] == {"id": "system", "type": "system", "name": "system"}
    assert event["object"]["serviceUser"] is True


async def test_membership_event_has_its_user(changed: Any, ask: Call) -> None:
    """Membership events have the user and the organization, or for the instance only the user."""
    listed = await ask(EVENTS, {"aggregateTypes": ["members"], "query": {"limit": 1000}})
    related = {event["related"][0]["id"]: event["related"] for event in listed.body["result"]}

    assert [one["type"] for one in related[f"owner-{changed.tag}"]] == ["users", "orgs"]
    assert [one["type"] for one in related[f"iam-{changed.tag}"]] == ["users"]


async def test_names_of_other_organizations_are_hidden(changed: Any, ask: Call) -> None:
    """Editors of organizations whose events the caller may not read have an id but no name (MG-22)."""
    tag = changed.tag
    path = "/management/v1/orgs/me"
    headers = {"x-service-orgid": changed.other_org_id}
    body = {"name": f"Renamed {tag}"}
    assert (await ask(f"{MANAGEMENT}.OrganizationService.UpdateOrg", body, path, by="iam", headers=headers)).code == 0
    seen = await one(ask, aggregateId=changed.other_org_id, by="foreign")
    by_instance = await one(ask, aggregateId=changed.other_org_id, by="iam")

    assert seen["editor"] == {"id": f"iam-{tag}", "type": "users"}
    assert by_instance["editor"]["loginName"].startswith(f"iam-{tag}@")


async def test_filter_gives_no_permission(changed: Any, ask: Call) -> None:
    """Filtering by an organization gives no permission to read its events (MG-22)."""
    foreign = await ask(EVENTS, {"resourceOwner": changed.other_org_id})
    own = await ask(EVENTS, {"resourceOwner": changed.org_id})
    theirs = await ask(EVENTS, {"resourceOwner": changed.other_org_id}, by="iam")

    assert "result" not in foreign.body
    assert {event["resourceOwner"] for event in own.body["result"]} == {changed.org_id}
    assert {event["resourceOwner"] for event in theirs.body["result"]} == {changed.other_org_id}


@pytest.mark.parametrize(
    ("conditions", "types"),
    [
        ({"types": ["deleted"]}, {"deleted"}),
        ({"types": ["created"]}, {"created"}),
        ({"types": ["created", "deleted"]}, {"created", "deleted"}),
        ({"types": ["unheard"]}, set()),
        ({"types": ["deleted"], "editorUserId": "system"}, set()),
        ({"types": ["deleted"], "aggregateTypes": ["apps"]}, set()),
    ],
)
async def test_events_are_filtered_by_type(changed: Any, ask: Call, conditions: Any, types: set[str]) -> None:
    listed = await ask(EVENTS, {**conditions, "query": {"limit": 1000}})

    assert {event["type"] for event in listed.body.get("result", [])} == types


async def test_events_of_the_instance_have_no_organization(changed: Any, ask: Call) -> None:
    """Events of instance objects have no organization and are readable by instance owners."""
    body = {"accessTokenLifetime": "600s", "idTokenLifetime": "600s"}
    body |= {"refreshTokenIdleExpiration": "86400s", "refreshTokenExpiration": "172800s"}
    set_to = await ask("portico.admin.v1.SettingsService.UpdateOIDCSettings", body, by="iam")
    assert set_to.code == 0, set_to.body
    event = await one(ask, resourceOwner=INSTANCE, aggregateTypes=["instances"], by="iam")

    assert "organization" not in event
    assert event["object"] == {"id": INSTANCE, "type": "instances"}


class HurriedSearches:
    """A database whose collections have half a second for an operation, and whose commands have a minute."""

    def __init__(self, section: MongoSection) -> None:
        self._hurried = MongoClient(section.model_copy(update={"mongo_timeout": 0.5}), "users")
        self._patient = MongoClient(section, "users")
        self.command = self._patient.database.command

    def __getitem__(self, name: str) -> Any:
        return self._hurried.database[name]

    async def close(self) -> None:
        await self._hurried.close()
        await self._patient.close()


async def test_search_that_times_out_is_refused(changed: Any, mongo_server: Any) -> None:
    """A search that exceeds the database's time limit gives an error with advice, not `unavailable`."""
    database: Any = HurriedSearches(mongo_server.section("users"))
    slow = {"$size": {"$map": {"input": {"$range": [0, 200_000]}, "in": {"$sqrt": "$$this"}}}}
    question = {"orgId": changed.org_id, "$expr": {"$lt": [slow, 0]}}
    try:
        with pytest.raises(Exception, match="USER-727"):
            await EventLog(database).search(question, Page(0, 10, "at", ascending=False))
    finally:
        await database.close()
