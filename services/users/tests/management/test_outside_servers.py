"""Outside servers: their rules, the documents that declare them, and the assertions that they allow (decision 0153)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import (
    GET_USED_GRANT_TYPES,
    AssertionRefusal,
    AssertionRequested,
    GetUsedGrantTypes,
)
from portico_fakes.management_api import call_as
from portico_users.values.operator_settings import Issuer

from .agents_world import AGENTS
from .outside_world import CHAT, MCP, SELECTED, SERVERS, OutsideWorld

pytestmark = pytest.mark.servers


@pytest.fixture
async def outside(managed: Any) -> OutsideWorld:
    world = OutsideWorld(managed)
    await world.set_up()
    return world


async def test_rule_gives_what_it_allows(outside: OutsideWorld) -> None:
    """An assertion has the issuer as registered, the client id there, and the requested part of the rule."""
    found = await outside.ask(scope=("chat.read", "chat.write"))

    assert found == AssertionRequested(
        audience=CHAT, client_id="assistant-at-chat", resources=(MCP,), scope=("chat.read",)
    )


async def test_nothing_requested_is_all_of_the_rule(outside: OutsideWorld) -> None:
    """An assertion is never without limits: without resources and scope it has those of the rule."""
    found = await outside.ask(resources=(), scope=None)

    assert (found.resources, found.scope) == ((MCP, f"{MCP}/two"), ("chat.read", "chat.history"))


@pytest.mark.parametrize("audience", [f"{CHAT}/", "HTTPS://auth.chat.example:443"])
async def test_address_may_be_written_as_parsers_do(outside: OutsideWorld, audience: str) -> None:
    """Client libraries add a slash to an address; the assertion has the registered forms."""
    found = await outside.ask(audience=audience, resources=(f"{MCP}/",))

    assert (found.audience, found.resources) == (CHAT, (MCP,))


@pytest.mark.parametrize(
    ("changed", "refusal", "wanted"),
    [
        ({"audience": "https://auth.other.example"}, AssertionRefusal.AUDIENCE, (CHAT,)),
        ({"audience": f"{CHAT}/tenant"}, AssertionRefusal.AUDIENCE, (CHAT,)),
        ({"client_id": "another"}, AssertionRefusal.AUDIENCE, ()),
        ({"resources": ("https://mcp.other.example",)}, AssertionRefusal.RESOURCE, (MCP, f"{MCP}/two")),
        ({"resources": (MCP, "https://mcp.other.example")}, AssertionRefusal.RESOURCE, (MCP, f"{MCP}/two")),
        ({"scope": ("chat.write",)}, AssertionRefusal.SCOPE, ("chat.read", "chat.history")),
        ({"user": "nobody"}, AssertionRefusal.USER, ()),
        ({"user": "robot"}, AssertionRefusal.USER, ()),
        ({"user": "foreign"}, AssertionRefusal.AUDIENCE, ()),
    ],
)
async def test_request_that_no_rule_covers_is_refused(
    outside: OutsideWorld, changed: dict[str, Any], refusal: AssertionRefusal, wanted: tuple[str, ...]
) -> None:
    """The failed condition is named with what the rules have; a rule is for users of its organization only."""
    found = await outside.ask(**changed)

    assert found == AssertionRequested(refusal=refusal, wanted=wanted)


async def test_change_of_the_rule_counts_for_the_next_request(outside: OutsideWorld) -> None:
    """Nothing is cached: resources, scopes, applications and the removal are in force at once."""
    refusals = []
    for changed in (
        {"resources": [f"{MCP}/two"]},
        {"scopes": ["chat.history"]},
        {"applications": [{"clientId": "another"}]},
        {"issuer": "https://auth.other.example"},
    ):
        await outside.update(**changed)
        refusals.append((await outside.ask()).refusal)
    await outside.update()
    before = (await outside.ask()).refusal
    await outside.add(name="Another")  # so that there is still one
    path = f"/management/v1/outside-servers/{outside.server_id}"
    await call_as(outside.managed, f"{SERVERS}.RemoveOutsideServer", {}, path=path)
    kept = (await outside.ask()).refusal

    assert refusals == [
        AssertionRefusal.RESOURCE,
        AssertionRefusal.SCOPE,
        AssertionRefusal.AUDIENCE,
        AssertionRefusal.AUDIENCE,
    ]
    assert (before, kept) == (None, None)


async def test_removed_rule_gives_nothing(outside: OutsideWorld) -> None:
    """The request after the removal is refused; a rule of another organization does not help."""
    await outside.add(by="foreign", name="Theirs")
    await outside.remove()

    assert (await outside.ask()).refusal is AssertionRefusal.AUDIENCE


@pytest.mark.parametrize("state", ["locked", "inactive", "deleted"])
async def test_user_who_may_not_sign_in_gets_nothing(outside: OutsideWorld, state: str) -> None:
    """LG-01: locked, inactive and deleted users look like unknown ones."""
    users, user = outside.managed.users, f"self-{outside.managed.tag}"
    await users.parts.mongo.database["users"].update_one({"_id": user}, {"$set": {"state": state}})

    assert await outside.ask() == AssertionRequested(refusal=AssertionRefusal.USER)


async def test_users_of_an_inactive_organization_get_nothing(outside: OutsideWorld) -> None:
    """An organization that is turned off gives no assertions about its users."""
    database, org_id = outside.managed.users.parts.mongo.database, outside.managed.org_id
    await database["orgs"].update_one({"_id": org_id}, {"$set": {"state": "inactive"}})

    assert (await outside.ask()).refusal is AssertionRefusal.USER


async def test_selected_users_are_those_in_a_group(outside: OutsideWorld) -> None:
    """A rule for groups covers their members, as long as they are members and the group exists."""
    managed, group = outside.managed, f"group-owner-{outside.managed.tag}"
    await outside.update(people=SELECTED, groups=[group])
    without = await outside.ask()
    members = f"/management/v1/groups/{group}/members"
    body = {"userId": f"self-{managed.tag}"}
    added = await call_as(managed, "portico.management.v1.GroupService.AddGroupMember", body, path=members)
    inside = await outside.ask()
    gone = f"/management/v1/groups/{group}"
    removed = await call_as(managed, "portico.management.v1.GroupService.RemoveGroup", {}, path=gone)
    after = await outside.ask()

    assert (added.code, removed.code) == (0, 0)
    assert (without, inside.refusal, after.refusal) == (
        AssertionRequested(refusal=AssertionRefusal.USER, wanted=("Chat",)),
        None,
        AssertionRefusal.USER,
    )


async def test_selected_users_are_those_with_a_role(outside: OutsideWorld) -> None:
    """A rule for roles covers users who have one of them now."""
    managed, project = outside.managed, f"p-owner-{outside.managed.tag}"
    await outside.update(people=SELECTED, roles=[{"projectId": project, "roleKey": "reader"}])
    without = (await outside.ask()).refusal
    body = {"projectId": project, "roleKeys": ["reader"]}
    path = f"/management/v1/users/self-{managed.tag}/grants"
    added = await call_as(managed, "portico.management.v1.UserGrantService.AddUserGrant", body, path=path)
    within = (await outside.ask()).refusal
    await outside.update(people=SELECTED, roles=[{"projectId": project, "roleKey": "writer"}])
    other = (await outside.ask()).refusal

    assert added.code == 0, added.body
    assert (without, within, other) == (AssertionRefusal.USER, None, AssertionRefusal.USER)


async def test_first_rule_that_covers_the_request_counts(outside: OutsideWorld) -> None:
    """Two rules for one server give different users different scopes; their scopes are never added."""
    await outside.add(name="Aardvark", applications=[{"clientId": "another"}])
    await outside.add(name="Admin", scopes=["chat.admin"], people=SELECTED, groups=["nobody's"])
    await outside.add(name="Zoo", scopes=["chat.zoo"])
    found = [await outside.ask(scope=scope) for scope in (("chat.admin",), ("chat.zoo",), ("chat.read", "chat.zoo"))]

    assert [(one.refusal, one.scope) for one in found] == [
        (AssertionRefusal.SCOPE, ()),
        (None, ("chat.zoo",)),
        (None, ("chat.read",)),
    ]


async def test_address_is_given_only_where_the_rule_says_so(outside: OutsideWorld) -> None:
    """The address leaves the installation by a decision of an administrator, and only if it is verified."""
    users = outside.managed.users.parts.mongo.database["users"]
    plain = (await outside.ask()).email
    await outside.update(sendsEmail=True)
    verified = (await outside.ask()).email
    await users.update_one({"_id": f"self-{outside.managed.tag}"}, {"$set": {"emailVerified": False}})
    unverified = (await outside.ask()).email

    assert (plain, bool(verified), unverified) == ("", True, "")


async def test_each_assertion_is_an_event(outside: OutsideWorld) -> None:
    """The log has the application, the user, the server and the scopes of what was given in an hour, and how often."""
    await outside.ask()
    await outside.ask()
    await outside.ask(resources=("https://mcp.other.example",))
    body = {"aggregateTypes": ["assertions"]}
    listed = await call_as(outside.managed, "portico.management.v1.EventService.ListEvents", body)
    (event,) = listed.body["result"]

    assert event["activity"] == "assertions.asserted"
    assert event["summary"].startswith("Assistant got an assertion about ")
    assert event["summary"].endswith(" for the outside server Chat")
    assert (event["payload"]["scope"], int(event["payload"]["count"])) == ("chat.read", 2)
    assert event["editorUserId"] == f"self-{outside.managed.tag}"


async def test_ledger_shows_the_agent_with_its_rule(outside: OutsideWorld) -> None:
    """An agent that acts by a rule is listed with the server, also for the user; ending it removes the entry."""
    await outside.ask()
    await outside.ask()
    path = f"/management/v1/users/self-{outside.managed.tag}/agents/_search"
    found = (await call_as(outside.managed, f"{AGENTS}.ListUserAgents", {}, path=path, by="self")).body["result"]
    of_org = (await call_as(outside.managed, f"{AGENTS}.ListAgents", {})).body["result"]
    end = f"/management/v1/users/self-{outside.managed.tag}/agents/_end"
    outside.managed.users.clock.tick(1)
    ended = await call_as(
        outside.managed, f"{AGENTS}.EndUserAgents", {"clientId": outside.client_id}, path=end, by="self"
    )
    after = (await call_as(outside.managed, f"{AGENTS}.ListUserAgents", {}, path=path, by="self")).body

    (entry,) = found
    assert (entry["clientId"], entry["rule"]) == (outside.client_id, "AGENT_RULE_OUTSIDE_SERVER")
    assert (entry["serverId"], entry["serverName"]) == (outside.server_id, "Chat")
    assert [one["scopes"] for one in entry["uses"]] == [["chat.read"]]
    assert entry["lastUsed"] == entry["since"]
    assert of_org == found
    assert ended.code == 0, ended.body
    assert "result" not in after


async def test_metadata_follows_the_servers(outside: OutsideWorld) -> None:
    """Discovery advertises assertions while an organization has a server, and not before and after."""
    users, ask = outside.managed.users, GetUsedGrantTypes(grant_types=())
    with_one = (await users.call(GET_USED_GRANT_TYPES, ask)).outside_servers
    await users.parts.mongo.database["outsideServers"].update_many({}, {"$set": {"state": "deleted"}})
    without = (await users.call(GET_USED_GRANT_TYPES, ask)).outside_servers
    refusal = (await outside.ask()).refusal

    assert (with_one, without, refusal) == (True, False, AssertionRefusal.NOT_OFFERED)


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"issuer": "http://auth.chat.example"}, "USER-272"),
        ({"issuer": "https://auth.chat.example?x=1"}, "USER-272"),
        ({"issuer": "https://auth.chat.example#x"}, "USER-272"),
        ({"issuer": "https://ada@auth.chat.example"}, "USER-272"),
        ({"issuer": "auth.chat.example"}, "USER-272"),
        ({"applications": [{"clientId": "a"}, {"clientId": "a"}]}, "USER-274"),
        ({"applications": [{"clientId": "a b"}]}, "USER-274"),
        ({"applications": [{"clientId": "a", "outsideClientId": "b c"}]}, "USER-274"),
        ({"resources": ["chat"]}, "USER-275"),
        ({"resources": [MCP, f"{MCP}/"]}, "USER-275"),
        ({"resources": ["https://mcp.chat.example#x"]}, "USER-275"),
        ({"scopes": ["chat.read chat.write"]}, "USER-276"),
        ({"scopes": ["a", "a"]}, "USER-276"),
        ({"people": SELECTED}, "USER-277"),
        ({"groups": ["one"]}, "USER-277"),
    ],
)
async def test_wrong_value_is_refused(outside: OutsideWorld, changed: dict[str, Any], error: str) -> None:
    """A rule that could never be used as it is meant, or that would be for everybody by mistake, is not stored."""
    found = await outside.add(**{"name": "Other", **changed})

    assert (found.code, found.error_code) == (3, error)


async def test_own_installation_is_no_outside_server(outside: OutsideWorld) -> None:
    """The installation must not issue tokens for its own assertions: its scopes would be the rule's."""
    issuer = outside.managed.users.service.find(Issuer)
    found = [await outside.add(name="Own", issuer=text) for text in (issuer, f"{issuer}/", issuer.upper())]

    assert {one.error_code for one in found} <= {"USER-273", "USER-272"}
    assert found[0].error_code == "USER-273"
    assert found[1].error_code == "USER-273"


async def test_stored_values_are_shown_and_replaced(outside: OutsideWorld) -> None:
    """An update replaces all values: what it leaves out is empty afterwards."""
    first = await outside.get()
    await outside.update(scopes=[], sendsEmail=True)
    second = await outside.get()

    assert {name: first[name] for name in outside.values()} == outside.values()
    assert "scopes" not in second
    assert second["sendsEmail"] is True


async def test_fifty_first_server_is_refused(outside: OutsideWorld) -> None:
    """The limit bounds what a request reads."""
    codes = [(await outside.add(name=f"server {number}")).error_code for number in range(50)]

    assert codes[:49] == [""] * 49
    assert codes[49] == "USER-271"


async def test_document_declares_servers(outside: OutsideWorld) -> None:
    """Apply creates, changes and prunes servers, finds groups by name, and the export can be applied again."""
    managed, tag = outside.managed, outside.managed.tag
    group = "group of owner"
    (stored,) = await managed.users.rows("orgs", _id=managed.org_id)
    declared = {
        "id": f"doc-{tag}",
        "name": "Wiki",
        "issuer": "https://auth.wiki.example",
        "applications": [{"clientId": outside.client_id}],
        "resources": ["https://mcp.wiki.example"],
        "groups": [group],
    }
    org = {"id": managed.org_id, "name": stored["name"], "outsideServers": [declared]}
    await managed.users.apply_document({"organizations": [org]})
    [made] = await managed.users.rows("outsideServers", _id=f"doc-{tag}")
    again = await managed.users.apply_document({"organizations": [org]})
    changed = {**declared, "people": "organization", "groups": []}
    await managed.users.apply_document({"organizations": [{**org, "outsideServers": [changed]}]}, prune=True)
    [after] = await managed.users.rows("outsideServers", _id=f"doc-{tag}")
    [pruned] = await managed.users.rows("outsideServers", _id=outside.server_id)

    assert made["groupIds"] == [f"group-owner-{tag}"]
    assert all(one.action == "unchanged" for one in again.changes if one.kind == "outside_server")
    assert (after["people"], after["groupIds"], pruned["state"]) == ("organization", [], "deleted")
