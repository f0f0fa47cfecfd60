"""What agents may do for users is listed and ended (decision 0154)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from portico_contracts.events import AGENT_ENDED
from portico_contracts.token import REVOKE_USER_CLIENT
from portico_contracts.users import ACT_FOR_USER, ActForUser
from portico_fakes.management_api import call_as

from .agents_world import AgentsWorld
from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers


@pytest.fixture
async def agents(managed: Any) -> AgentsWorld:
    world = AgentsWorld(managed)
    await world.set_up()
    return world


async def test_agent_is_listed_with_what_the_user_allowed_and_its_last_use(agents: AgentsWorld) -> None:
    """An application that is no agent is not; the time of the first consent stays when the user allows more."""
    managed, api = agents.managed, f"app-owner-{agents.managed.tag}"
    (app,) = await managed.users.rows("apps", _id=api)
    await agents.allow("self", agents.shop, "openid")
    await agents.allow("self", agents.coder, "openid")
    managed.users.clock.tick(60)
    await agents.allow("self", agents.coder, api=app["clientId"], of_api="notes.read")
    await agents.use("self", agents.coder)
    (found,) = await agents.of_user("self", by="self")

    assert (found["clientId"], found["host"], found["name"]) == (agents.coder, agents.host, "coder")
    assert (found["userId"], found["rule"]) == (agents.user("self"), "AGENT_RULE_CONSENT")
    assert (found["scopes"], [one["scope"] for one in found["apiScopes"]]) == (["openid"], ["notes.read"])
    assert found["since"] < found["allowed"]
    assert found["lastUsed"] == found["uses"][0]["lastUsed"] == found["allowed"]


async def test_use_names_the_api_and_the_application_that_exchanged_the_token(agents: AgentsWorld) -> None:
    """Of an audience only the APIs are stored, not their resources and the project."""
    managed = agents.managed
    added = await on_apps(managed, "AddAPIApp", "/api", name="Notes", resources=[f"https://{managed.tag}.example/n"])
    notes = added.body["clientId"]
    await agents.allow("self", agents.coder, "openid")
    audience = (notes, f"https://{managed.tag}.example/n", f"p-owner-{managed.tag}")
    await agents.use("self", agents.coder, audience=audience, via=agents.shop, scope=("notes.read",))
    (found,) = await agents.of_user("self")
    (use,) = found["uses"]

    assert (use["apiClientId"], use["apiName"], use["scopes"]) == (notes, "Notes", ["notes.read"])
    assert (use["viaClientId"], use["viaName"]) == (agents.shop, "Shop")


async def test_access_of_one_agent_ends_at_once(agents: AgentsWorld) -> None:
    """Tokens are revoked before and after the consent, which others keep; without anything to end it is an error."""
    for client_id in (agents.coder, agents.registered):
        await agents.allow("self", client_id, "openid")
    await agents.use("self", agents.coder)
    ended = await agents.end("self", by="self", clientId=agents.coder)
    again = await agents.end("self", by="self", clientId=agents.coder)
    left = await agents.of_user("self")
    agents.managed.users.clock.tick(1)
    await agents.allow("self", agents.coder, "openid")
    renewed = {one["clientId"]: one for one in await agents.of_user("self")}[agents.coder]

    assert (ended.body["ended"], ended.body["grants"]) == ("1", "2")
    assert (again.code, again.error_code) == (5, "USER-909")
    assert [one["clientId"] for one in left] == [agents.registered]
    assert agents.managed.api.ended.count((f"grants to {agents.coder}", agents.user("self"))) == 2
    assert "lastUsed" not in renewed


async def test_each_ended_agent_is_an_event(agents: AgentsWorld) -> None:
    """Who ended which agent, for whom, with the consent or without one; the user reads it, too, and webhooks get ids."""
    managed = agents.managed
    await call_as(
        managed, "portico.admin.v1.SettingsService.SetImpersonationSettings", {"allowImpersonation": True}, by="iam"
    )
    asked = ActForUser(actor_id=agents.user("owner"), user_id=agents.user("self"), client_id=agents.registered)
    await managed.users.call(ACT_FOR_USER, asked)
    await agents.allow("self", agents.coder, "openid")
    managed.users.clock.tick(1)
    ended = (agents.coder, agents.registered)
    for client_id in ended:
        assert (await agents.end("self", clientId=client_id)).code == 0
    logged = await managed.users.rows("events", table="agents", **{"values.userId": agents.user("self")})
    read = await call_as(
        managed, "portico.management.v1.CallerService.ListMyEvents", {"query": {"limit": 50}}, by="self"
    )

    outbox = [json.loads(one["body"]) for one in await managed.users.rows("outbox", subject=AGENT_ENDED.subject)]
    owner, user = agents.user("owner"), agents.user("self")
    assert {(one["action"], one["actor"], one["values"]["userId"], one["values"]["clientId"]) for one in logged} == {
        ("ended", owner, user, client_id) for client_id in ended
    }
    mine = [one for one in read.body["result"] if one["activity"] == "agents.ended"]
    assert [one["editorUserId"] for one in mine] == [owner] * 2
    assert {(one["user_id"], one["client_id"], one["actor"]) for one in outbox} >= {
        (user, client_id, owner) for client_id in ended
    }


async def test_removed_access_of_an_agent_is_an_event_too(agents: AgentsWorld) -> None:
    """The list of applications of a user ends an agent as the list of agents does; another application is no agent."""
    for client_id in (agents.registered, agents.shop):
        await agents.allow("self", client_id, "openid")
        path = f"/management/v1/users/{agents.user('self')}/app_access/{client_id}"
        removed = await call_as(
            agents.managed, "portico.management.v1.AppAccessService.RemoveUserAppAccess", {}, path=path
        )
        assert removed.code == 0, removed.body
    logged = await agents.managed.users.rows("events", table="agents", **{"values.userId": agents.user("self")})

    assert [one["values"]["clientId"] for one in logged] == [agents.registered]


async def test_all_agents_of_a_host_end_for_a_user_and_for_an_organization(agents: AgentsWorld) -> None:
    """Another host, and a host that only ends alike, is untouched."""
    for name in ("self", "viewer"):
        for client_id in (agents.coder, agents.writer, agents.registered):
            await agents.allow(name, client_id, "openid")
    for_user = await agents.end("self", host=agents.host.upper())
    after_user = await agents.of_org()
    other = await agents.end_all(host=agents.host.removeprefix("agents."))
    for_all = await agents.end_all(host=agents.host)
    left = await agents.of_org()

    assert for_user.body["ended"] == "2"
    assert len(after_user) == 4
    assert other.body == {}
    assert for_all.body["ended"] == "2"
    assert "remaining" not in for_all.body
    assert {one["clientId"] for one in left} == {agents.registered}


async def test_use_that_another_clock_has_stamped_later_ends_too(agents: AgentsWorld) -> None:
    """Replicas of token may be seconds ahead; otherwise the access stays in the list, and is ended again and again."""
    later = agents.managed.users.clock.now() + 5
    await agents.use("self", agents.shop, provider="idp", at=later)
    ended = await agents.end_all(clientId=agents.shop)

    assert (ended.body["ended"], ended.body.get("remaining")) == ("1", None)
    assert await agents.of_user("self") == []


async def test_request_names_either_an_agent_or_a_host(agents: AgentsWorld) -> None:
    """Neither and both are refused, so that no request ends everything by mistake."""
    both = {"clientId": agents.coder, "host": agents.host}
    refused = [await agents.end("self", **named) for named in ({}, both)]
    refused += [await agents.end_all(**named) for named in ({}, both)]

    assert {(one.code, one.error_code) for one in refused} == {(3, "USER-908")}


async def test_organization_filters_its_ledger(agents: AgentsWorld) -> None:
    """By user, agent, host and API; an organization without agents sees nothing of another one."""
    (api,) = await agents.managed.users.rows("apps", _id=f"app-owner-{agents.managed.tag}")
    await agents.allow("self", agents.coder, api=api["clientId"], of_api="notes.read")
    await agents.allow("viewer", agents.coder, "openid")
    await agents.allow("viewer", agents.registered, "openid")

    async def found(**filters: Any) -> set[tuple[str, str]]:
        return {(one["userId"].partition("-")[0], one["clientId"]) for one in await agents.of_org(**filters)}

    assert await found(userId=agents.user("viewer")) == {("viewer", agents.coder), ("viewer", agents.registered)}
    assert await found(clientId=agents.coder) == {("self", agents.coder), ("viewer", agents.coder)}
    assert await found(host=agents.host) == {("self", agents.coder), ("viewer", agents.coder)}
    assert await found(apiClientId=api["clientId"]) == {("self", agents.coder)}
    assert await found(clientId=agents.shop) == set()
    assert await agents.of_org(by="foreign") == []


async def test_application_lists_its_users_and_counts_those_of_other_organizations(agents: AgentsWorld) -> None:
    """Who may read the application does not learn who uses it elsewhere (MG-04)."""
    await agents.allow("self", agents.registered, "openid")
    await agents.allow("foreign", agents.registered, "openid")
    for_owner, for_instance = [await agents.of_app(agents.registered_app, by=by) for by in ("owner", "iam")]

    assert [one["userId"] for one in for_owner.body["result"]] == [agents.user("self")]
    assert for_owner.body["hidden"] == "1"
    assert len(for_instance.body["result"]) == 2
    assert "hidden" not in for_instance.body


async def test_agent_must_request_consent_and_gets_no_token_from_the_authorization_endpoint(managed: Any) -> None:
    """What an agent may do is what users allowed, and only the token endpoint checks that it still is (USER-899)."""
    await managed.furnish("owner")
    implicit = {
        "responseTypes": ["OIDC_RESPONSE_TYPE_ID_TOKEN"],
        "grantTypes": ["OIDC_GRANT_TYPE_IMPLICIT"],
        "redirectUris": ["https://shop.example/cb"],
    }
    refused = [
        await on_apps(managed, "AddOIDCApp", "/oidc", name="agent", agent=True, **settings)
        for settings in (CODE, {**CODE, "consent": "CONSENT_NONE"}, {**implicit, "consent": "CONSENT_ONCE"})
    ]
    added = await on_apps(managed, "AddOIDCApp", "/oidc", name="agent", agent=True, **CODE, consent="CONSENT_ALWAYS")
    path = f"/{added.body['appId']}/oidc_config"
    changed = await on_apps(managed, "UpdateOIDCAppConfig", path, **CODE, consent="CONSENT_ALWAYS", devMode=True)
    later = await on_apps(managed, "UpdateOIDCAppConfig", path, **CODE, consent="CONSENT_NONE")
    client = await managed.users.client(added.body["clientId"])

    assert {(one.code, one.error_code) for one in (*refused, later)} == {(3, "USER-899")}
    assert changed.code == 0, changed.body
    assert client.agent


async def test_administrator_who_acts_through_an_agent_is_in_the_ledger(agents: AgentsWorld) -> None:
    """It is stored before token issues anything, and ends with the agent."""
    managed = agents.managed
    await call_as(
        managed, "portico.admin.v1.SettingsService.SetImpersonationSettings", {"allowImpersonation": True}, by="iam"
    )
    asked = ActForUser(actor_id=agents.user("owner"), user_id=agents.user("self"), client_id=agents.registered)
    await managed.users.call(ACT_FOR_USER, asked)
    (found,) = await agents.of_user("self")
    of_org = await agents.of_org()
    managed.users.clock.tick(1)
    ended = await agents.end("self", clientId=agents.registered)

    assert (found["rule"], found["actorId"]) == ("AGENT_RULE_ADMINISTRATOR", agents.user("owner"))
    assert of_org == [found]
    assert ended.code == 0, ended.body
    assert await agents.of_user("self") == []


async def test_failed_end_can_be_repeated(agents: AgentsWorld) -> None:
    """While token does not respond nothing is removed, so that the repeated call ends everything."""
    await agents.allow("self", agents.coder, "openid")
    agents.managed.users.bus.silent.add(REVOKE_USER_CLIENT.subject)
    failed = await agents.end("self", clientId=agents.coder)
    agents.managed.users.bus.silent.clear()
    again = await agents.end("self", clientId=agents.coder)

    assert (failed.code, again.code) == (14, 0)
