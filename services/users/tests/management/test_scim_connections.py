"""Who may call, and what a connection sees, adopts and leaves alone."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from portico_oauth.errors import ServiceError

from .scim_client import ADD, SERVICE, Provisioner


@pytest.fixture
async def client(managed: Any) -> Provisioner:
    return await Provisioner(managed).connect()


async def test_unknown_connection_is_not_found(client: Provisioner) -> None:
    """Without a connection there is no SCIM."""
    client.id = "another"

    assert (await client.send("GET", "/Users")).status_code == 404


@pytest.mark.parametrize("secret", ["", "wrong", "portico_scim_", "\u00e9", "a b", "x" * 5_000])
async def test_every_wrong_token_gets_the_same_answer(client: Provisioner, secret: str) -> None:
    """Also the empty one (ToolJet #16217): a connection that has no secret has none that is empty."""
    client.secret = "wrong"
    expected = await client.send("GET", "/Users")
    answer = await client.send("GET", "/Users", headers={"Authorization": f"Bearer {secret}".encode()})  # type: ignore[dict-item]

    assert (answer.status_code, answer.content) == (401, expected.content)


async def test_connection_without_secrets_is_closed(client: Provisioner) -> None:
    """A connection that has no secret has none that is empty, and no former one (ToolJet #16217)."""
    (only,) = (await client.read())["secrets"]
    await client.change("RemoveScimSecret", f"/secrets/{only['id']}")
    former = await client.status(client.secret)
    empty = await client.send("GET", "/Users", headers={"Authorization": "Bearer "})
    none = await client.managed.api.http.get(f"/scim/v2/{client.id}/Users")

    assert [former, empty.status_code, none.status_code] == [401] * 3


async def test_connection_takes_nothing_by_its_name(client: Provisioner) -> None:
    """Names and ids of connections belong to nothing else: another server let one named like a credential type take
    accounts over (better-auth #9579).
    """
    managed = client.managed
    user, (stored,) = f"self-{managed.tag}", await managed.users.rows("orgs", _id=managed.org_id)
    await client.change("UpdateScimConnection", "", {"name": user})
    org = {"id": managed.org_id, "name": stored["name"], "scimConnections": [{"id": user, "name": "password"}]}
    with pytest.raises(ServiceError) as refused:
        await managed.users.apply_document({"organizations": [org]})

    assert (await client.get("/Users"))["totalResults"] == 0
    assert (await client.send("GET", f"/Users/{user}")).status_code == 404
    assert "scimConnections[0].id" in refused.value.text


async def test_manager_of_users_connects_no_directory(client: Provisioner) -> None:
    """The secret opens what a manager of users may do, and lasts: only owners get one (better-auth #5685)."""
    managed, user = client.managed, f"self-{client.managed.tag}"
    body, token = {"userId": user, "roles": ["ORG_USER_MANAGER"]}, managed.tokens["owner"]
    added = await managed.api.json("portico.management.v1.MemberService.AddOrgMember", body, token=token)
    tried = await managed.api.json(ADD, {"name": "Mine"}, token=managed.tokens["self"])
    address = f"/management/v1/scim/connections/{client.id}/secrets"
    secret = await managed.api.json(f"{SERVICE}.AddScimSecret", {}, token=managed.tokens["self"], path=address)

    assert added.code == 0
    assert [tried.code, secret.code] == [7, 7]


async def test_second_secret_works_until_it_is_removed(client: Provisioner) -> None:
    """A directory gets a new secret while the former one works; a third one is refused."""
    added = await client.change("AddScimSecret", "/secrets")
    third = await client.change("AddScimSecret", "/secrets")
    first = (await client.read())["secrets"][0]["id"]
    with_both = [await client.status(one) for one in (client.secret, added.body["secret"])]
    await client.change("RemoveScimSecret", f"/secrets/{first}")
    after = [await client.status(one) for one in (client.secret, added.body["secret"])]
    (stored,) = await client.managed.users.rows("scimConnections", _id=client.id)

    assert third.error_code == "USER-204"
    assert (with_both, after) == ([200, 200], [401, 200])
    assert added.body["secret"] not in str(stored)


async def test_removed_connection_is_not_found(client: Provisioner) -> None:
    """The users that a removed connection sent stay."""
    made = await client.add()
    await client.change("RemoveScimConnection", "")

    assert await client.status(client.secret) == 404
    assert (await client.managed.get(made["id"])).code == 0


async def test_last_call_and_refusals_are_shown(client: Provisioner) -> None:
    """An administrator sees what came last, without the names in queries."""
    before = await client.read()
    await client.status(client.secret)
    await client.send("GET", "/Users?filter=nothing%20eq%20%22ada%22")
    after = await client.read()

    assert "lastCall" not in before
    assert after["lastCall"]
    (refused,) = after["refusedCalls"]
    assert (refused["request"], refused["httpStatus"], refused["errorId"]) == ("GET /Users", 400, "USER-209")


async def test_events_name_the_connection(client: Provisioner) -> None:
    """An auditor reads which directory made a change."""
    made, token = await client.add(), client.managed.tokens["owner"]
    body = {"aggregateId": made["id"]}
    listed = await client.managed.api.json("portico.management.v1.EventService.ListEvents", body, token=token)
    (event,) = listed.body["result"]
    name = (await client.read())["name"]

    assert (event["editor"]["id"], event["editor"]["name"]) == (client.id, name)
    assert event["summary"].startswith(name)


async def test_connection_touches_only_what_it_may(managed: Any) -> None:
    """A connection for groups alone reads and changes no users."""
    client = await Provisioner(managed).connect(provisionsUsers=False)
    answer = await client.send("POST", "/Users", client.person())

    assert (answer.status_code, answer.headers["content-type"]) == (403, "application/scim+json")
    assert await client.status(client.secret, "/Groups") == 200


async def test_connection_sees_only_its_own(managed: Any) -> None:
    """An external id and an id of another connection mean nothing here (CVE-2025-41115)."""
    one, other = await Provisioner(managed).connect(), await Provisioner(managed).connect(deletes=False)
    made = await one.add()
    theirs = await other.add("grace", externalId=made["externalId"])

    for path in (f"/Users/{made['id']}", f"/Users/self-{managed.tag}", f"/Users/{made['externalId']}"):
        for verb, body in (("GET", None), ("PUT", other.person()), ("DELETE", None)):
            assert (await other.send(verb, path, body)).status_code == 404, (verb, path)
    listed = await other.get("/Users?filter=externalId%20eq%20%22ada-external%22")
    assert [found["id"] for found in listed["Resources"]] == [theirs["id"]]


async def test_external_id_is_unique_in_its_connection(client: Provisioner) -> None:
    """Two users of one directory never share an id of it."""
    await client.add()
    answer = await client.send("POST", "/Users", client.person("grace", externalId="ada-external"))

    assert (answer.status_code, answer.json()["scimType"]) == (409, "uniqueness")


async def test_account_is_adopted_where_the_domain_is_verified(client: Provisioner) -> None:
    """Its address stays at first contact, its owner gets an email, and its id is that of the account."""
    await client.verify_domain()
    user = await client.local_user("kim")
    waiting = await client.emails()
    made = await client.add("kim", emails=[{"value": client.mail("attacker")}], displayName="Kim by SCIM")
    (stored,) = await client.managed.users.rows("users", _id=user)

    assert made["id"] == user
    assert (stored["email"], stored["displayName"]) == (client.mail("kim"), "Kim by SCIM")
    assert len(await client.emails() - waiting) == 1


@pytest.mark.parametrize("reason", ["domain", "role", "other organization", "other connection"])
async def test_account_is_not_adopted(client: Provisioner, reason: str) -> None:
    """By its bare address (ciso-assistant #4658), with a role (0012), from elsewhere, from another connection."""
    managed = client.managed
    user = await client.local_user("kim", by="foreign" if reason == "other organization" else "owner")
    if reason != "domain":
        await client.verify_domain()
    if reason == "role":
        await client.make_administrator(user)
    if reason == "other connection":
        await (await Provisioner(managed).connect(deletes=True)).add("kim")
    before = await managed.users.rows("users", _id=user)
    answer = await client.send("POST", "/Users", client.person("kim"))

    assert (answer.status_code, answer.json()["scimType"]) == (409, "uniqueness")
    assert await managed.users.rows("users", _id=user) == before


async def test_account_of_a_removed_connection_is_adopted(client: Provisioner) -> None:
    """An organization moves to another directory, and its users keep their accounts."""
    await client.verify_domain()
    made = await client.add()
    await client.change("RemoveScimConnection", "")
    next_one = await Provisioner(client.managed).connect(deletes=True)

    assert (await next_one.add())["id"] == made["id"]


async def test_administrator_is_not_changed(client: Provisioner) -> None:
    """An account that got a role after it was sent is deactivated by no directory (0012)."""
    made = await client.add()
    await client.make_administrator(made["id"])
    path = f"/Users/{made['id']}"
    answers = [
        await client.patch(path, {"op": "replace", "path": "active", "value": False}),
        await client.send("PUT", path, client.person(active=False)),
        await client.send("DELETE", path),
    ]

    assert [one.status_code for one in answers] == [403] * 3
    assert (await client.get(path))["active"] is True


@pytest.mark.parametrize(
    "path",
    [
        "/%55sers",
        "/Users%2F{id}",
        "/Users/%2e%2e/Groups",
        "/users",
        "/Users/",
        "/Users//{id}",
        "//Users",
        "/Users/{id}/",
        "/Users/{id}%2F..",
        "/Users/{id}%00",
        "/Users/%25{id}",
        "/Users/%ff",
        "/Bulk",
        "/Me",
        "",
    ],
)
async def test_encoded_paths_reach_nothing(managed: Any, path: str) -> None:
    """The permission and the handler follow one routing decision (zitadel CVE-2026-32130)."""
    client = await Provisioner(managed).connect(provisionsGroups=False)
    made = await client.add()
    for verb in ("GET", "DELETE"):
        answer = await client.send(verb, path.replace("{id}", made["id"]))
        assert answer.status_code == 404, answer.text
    assert (await client.get(f"/Users/{made['id']}"))["active"]


async def test_encoded_id_is_the_plain_one(client: Provisioner) -> None:
    """An id is decoded once, and equals the plain one."""
    made = await client.add()
    encoded = "".join(f"%{ord(one):02X}" for one in made["id"])

    assert await client.get(f"/Users/{encoded}") == made


async def test_declared_ids_are_encoded_in_addresses(client: Provisioner) -> None:
    """Ids of a document may have any characters: the addresses encode them, and lead to the connection and its users."""
    managed = client.managed
    id, (stored,) = f"a /{managed.tag}?", await managed.users.rows("orgs", _id=managed.org_id)
    org = {"id": managed.org_id, "name": stored["name"], "scimConnections": [{"id": id, "name": "Odd"}]}
    applied = await managed.users.apply_document({"organizations": [org]})
    [change] = [one for one in applied.changes if one.kind == "scim_connection"]
    client.id, client.secret = quote(id, safe=""), change.generated_secret
    made = await client.add()

    assert (await client.read())["url"].endswith(f"/scim/v2/a%20%2F{managed.tag}%3F")
    assert made["meta"]["location"].endswith(f"/scim/v2/{client.id}/Users/{made['id']}")
