from __future__ import annotations

import asyncio
from typing import Any

import pytest
from portico_contracts.users import GET_CLIENT, GET_USER, AuthMethod, Change, GetClient, GetUser
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import fingerprint

pytestmark = pytest.mark.servers


def actions(changes: tuple[Change, ...]) -> list[str]:
    return [change.action for change in changes]


async def test_first_run_creates_and_second_changes_nothing(users_world: Any) -> None:
    """A second run changes nothing and writes no event."""
    first = await users_world.apply()
    events = await users_world.rows("events", actor="system", orgId=first.changes[0].id)
    second = await users_world.apply()

    assert actions(first.changes) == ["created"] * 4
    assert [change.kind for change in first.changes] == ["organization", "project", "app", "human"]
    assert actions(second.changes) == ["unchanged"] * 4
    assert [change.id for change in second.changes] == [change.id for change in first.changes]
    assert await users_world.rows("events", actor="system", orgId=first.changes[0].id) == events


async def test_check_writes_nothing(users_world: Any) -> None:
    """With check the response lists the changes without secrets, and nothing is stored."""
    planned = await users_world.apply(check=True)

    assert actions(planned.changes) == ["created"] * 4
    assert [change.generated_secret for change in planned.changes] == [""] * 4
    assert await users_world.rows("orgs", name=f"Acme {users_world.tag}") == []


async def test_generated_secret_is_shown_once(users_world: Any) -> None:
    """A generated secret of an application is only in the first response, and only its hash is stored."""
    first = await users_world.apply()
    second = await users_world.apply()
    secret = first.changes[2].generated_secret
    found = (await users_world.call(GET_CLIENT, GetClient(client_id=f"shop-{users_world.tag}"))).client

    assert len(secret) == 64
    assert second.changes[2].generated_secret == ""
    assert found is not None
    assert found.secret_hash == fingerprint(secret)


async def test_given_secret_and_password_are_used_at_creation_only(users_world: Any) -> None:
    """A later document with another secret and password does not change them."""
    app = users_world.app(clientSecret="first-secret-of-the-shop")
    await users_world.apply(users_world.organization(projects=[{"name": "web", "oidcApps": [app]}]))
    later = users_world.organization(
        projects=[{"name": "web", "oidcApps": [{**app, "clientSecret": "other-secret-of-the-shop"}]}],
        humans=[users_world.human(password={"password": "another password"})],
    )
    applied = await users_world.apply(later)
    found = (await users_world.call(GET_CLIENT, GetClient(client_id=f"shop-{users_world.tag}"))).client

    assert actions(applied.changes) == ["unchanged"] * 4
    assert found is not None
    assert found.secret_hash == fingerprint("first-secret-of-the-shop")
    assert (await users_world.try_password(users_world.user_name, users_world.password)).user is not None


async def test_change_of_method_deletes_or_creates_the_secret(users_world: Any) -> None:
    """An application that becomes public loses its secret; one that needs a secret again gets a new one."""
    await users_world.apply()
    public = users_world.app(authMethodType="OIDC_AUTH_METHOD_TYPE_NONE")
    changed = await users_world.apply(users_world.organization(projects=[{"name": "web", "oidcApps": [public]}]))
    found = (await users_world.call(GET_CLIENT, GetClient(client_id=f"shop-{users_world.tag}"))).client
    back = await users_world.apply()

    assert changed.changes[2].fields == ("authMethod", "secretHash")
    assert found is not None
    assert (found.auth_method, found.secret_hash) == (AuthMethod.NONE, "")
    assert len(back.changes[2].generated_secret) == 64


async def test_updates_list_the_fields_without_gaps(users_world: Any) -> None:
    """A changed document updates only what differs; the event has the next sequence without a gap."""
    first = await users_world.apply()
    users_world.clock.tick(5)
    human = users_world.human(profile={"firstName": "Alice", "lastName": "Brown"})
    second = await users_world.apply(users_world.organization(humans=[human]))
    events = sorted(await users_world.rows("events", object=first.changes[3].id), key=lambda row: int(row["sequence"]))

    assert actions(second.changes) == ["unchanged", "unchanged", "unchanged", "updated"]
    assert second.changes[3].fields == ("lastName", "displayName")
    assert [event["sequence"] for event in events] == [1, 2]
    assert events[1]["values"] == {"lastName": "Brown", "displayName": "Alice Brown"}
    assert events[1]["at"] == events[0]["at"] + 5


async def test_event_log_and_outbox_contain_no_secret(users_world: Any) -> None:
    """Neither passwords, client secrets nor their hashes are logged (IN-09)."""
    secret = f"planted-secret-{users_world.tag}"
    app = users_world.app(clientSecret=secret)
    applied = await users_world.apply(users_world.organization(projects=[{"name": "web", "oidcApps": [app]}]))
    logged = repr(await users_world.rows("events", orgId=applied.changes[0].id))
    waiting = repr(await users_world.rows("outbox"))

    assert "password" in logged
    for hidden in (secret, fingerprint(secret), users_world.password, "$argon2"):
        assert hidden not in logged
        assert hidden not in waiting


async def test_explicit_ids_are_used(users_world: Any) -> None:
    tag = users_world.tag
    organization = users_world.organization(
        id=f"org-{tag}",
        projects=[{"id": f"project-{tag}", "name": "web", "oidcApps": [users_world.app(id=f"app-{tag}")]}],
        humans=[users_world.human(id=f"user-{tag}")],
        serviceUsers=[{"id": f"robot-{tag}", "username": f"robot-{tag}", "name": "Robot"}],
    )
    applied = await users_world.apply(organization)
    robot = (await users_world.call(GET_USER, GetUser(user_id=f"robot-{tag}"))).user

    assert [change.id for change in applied.changes] == [
        f"{kind}-{tag}" for kind in ("org", "project", "app", "user", "robot")
    ]
    assert robot is not None
    assert not robot.human


@pytest.mark.parametrize(
    ("taken_by", "place"),
    [
        ({"humans": [{"id": "{client}"}]}, "organizations[0].humans[0].id"),
        ({"projects": [{"name": "x", "id": "{user}"}]}, "organizations[0].projects[0].id"),
        (
            {"projects": [{"name": "x", "oidcApps": [{"name": "y", "clientId": "{org}"}]}]},
            "organizations[0].projects[0].oidcApps[0].clientId",
        ),
    ],
)
async def test_id_of_another_object_is_refused(users_world: Any, taken_by: dict[str, Any], place: str) -> None:
    """Organizations, projects, applications, client ids and users share one id space; the error has the path."""
    first = await users_world.apply()
    ids = {"{client}": f"shop-{users_world.tag}", "{user}": first.changes[3].id, "{org}": first.changes[0].id}
    wanted = users_world.organization(name=f"Other {users_world.tag}", humans=[], projects=[])
    for member, items in taken_by.items():
        wanted[member] = [_filled(item, ids) for item in items]
        if member == "humans":
            wanted[member] = [users_world.human(username=f"bob-{users_world.tag}", **item) for item in wanted[member]]
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(wanted)

    assert (refused.value.kind, refused.value.id) == (Kind.ALREADY_EXISTS, "USER-010")
    assert refused.value.text.startswith(f"{place}: ")


def _filled(item: Any, ids: dict[str, str]) -> Any:
    if isinstance(item, dict):
        return {key: _filled(value, ids) for key, value in item.items()}
    if isinstance(item, list):
        return [_filled(value, ids) for value in item]
    return ids.get(item, item)


async def test_user_name_is_unique_over_organizations_and_spellings(users_world: Any) -> None:
    """The same user name in full-width capitals in another organization is refused (MG-08)."""
    await users_world.apply()
    wide = "".join(
        chr(ord(letter) + 0xFEE0) if letter.isalpha() else letter for letter in users_world.user_name.upper()
    )
    other = users_world.organization(
        name=f"Other {users_world.tag}", projects=[], humans=[users_world.human(username=wide)]
    )
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(other)

    assert (refused.value.kind, refused.value.id) == (Kind.ALREADY_EXISTS, "USER-011")
    assert refused.value.text.startswith("organizations[0].humans[0].username: ")


async def test_concurrent_creation_of_a_user_name_succeeds_once(users_world: Any, other_replica: Any) -> None:
    """Of twenty runs on two replicas one creates the user; all others get ALREADY_EXISTS (MG-08)."""
    tag = users_world.tag
    await asyncio.gather(
        *(users_world.apply({"name": f"Org {number} {tag}"}) for number in range(20)), return_exceptions=False
    )
    worlds = [users_world, other_replica] * 10
    runs = [
        world.apply({"name": f"Org {number} {tag}", "humans": [users_world.human()]})
        for number, world in enumerate(worlds)
    ]
    results = await asyncio.gather(*runs, return_exceptions=True)
    refused = [result for result in results if isinstance(result, ServiceError)]
    stored = await users_world.rows("users", userName=users_world.user_name)

    assert len(refused) == 19
    assert {(error.kind, error.id) for error in refused} == {(Kind.ALREADY_EXISTS, "USER-011")}
    assert len(stored) == 1
    assert len(await users_world.rows("passwords", _id=stored[0]["_id"])) == 1
    assert [row["sequence"] for row in await users_world.rows("events", object=stored[0]["_id"])] == [1]


async def test_concurrent_changes_leave_no_gap(users_world: Any, other_replica: Any) -> None:
    """Each concurrent change either gets its own sequence or must be repeated; none is lost."""
    created = await users_world.apply()
    worlds = [users_world, other_replica] * 5
    runs = [
        world.apply(users_world.organization(humans=[users_world.human(profile={"firstName": "A", "lastName": name})]))
        for world, name in zip(worlds, "BCDEFGHIJK", strict=True)
    ]
    results = await asyncio.gather(*runs, return_exceptions=True)
    done = [result for result in results if not isinstance(result, ServiceError)]
    events = await users_world.rows("events", object=created.changes[3].id)
    stored = (await users_world.rows("users", _id=created.changes[3].id))[0]

    assert done
    assert {result.id for result in results if isinstance(result, ServiceError)} <= {"USER-012"}
    assert sorted(event["sequence"] for event in events) == list(range(1, len(done) + 2))
    assert stored["sequence"] == len(done) + 1


async def test_roles_become_memberships(users_world: Any) -> None:
    """IAM roles are held in the instance, others in the organization; roles absent from the document are removed."""
    human = users_world.human(roles=["IAM_OWNER", "ORG_OWNER", "ORG_USER_MANAGER"])
    applied = await users_world.apply(users_world.organization(humans=[human]))
    again = await users_world.apply(users_world.organization(humans=[human]))
    fewer = await users_world.apply(users_world.organization(humans=[{**human, "roles": ["ORG_OWNER"]}]))
    members = {row["scope"]: row for row in await users_world.rows("members", userId=applied.changes[3].id)}

    assert again.changes[3].action == "unchanged"
    assert fewer.changes[3].fields == ("roles",)
    assert members["instance"]["roles"] == ["IAM_OWNER"]
    assert members["organization"]["roles"] == ["ORG_OWNER"]
    assert members["organization"]["scopeId"] == applied.changes[0].id


@pytest.mark.parametrize(
    ("change", "place", "error_code"),
    [
        ({"redirectUris": ["https://a.example/cb", "http://evil.example/cb"]}, "redirectUris[1]", "USER-020"),
        ({"postLogoutRedirectUris": ["javascript:alert(1)"]}, "postLogoutRedirectUris[0]", "USER-020"),
        ({"responseTypes": []}, "responseTypes", "USER-021"),
        ({"responseTypes": ["OIDC_RESPONSE_TYPE_ID_TOKEN"]}, "responseTypes[0]", "USER-022"),
        ({"additionalOrigins": ["https://a.example/path"]}, "additionalOrigins[0]", "USER-023"),
        ({"idTokenSignedResponseAlg": "HS256"}, "idTokenSignedResponseAlg", "USER-024"),
        ({"backChannelLogoutUri": "http://a.example/logout"}, "backChannelLogoutUri", "USER-025"),
        (
            {"authMethodType": "OIDC_AUTH_METHOD_TYPE_NONE", "clientSecret": "a" * 20},
            "clientSecret",
            "USER-026",
        ),
    ],
)
async def test_invalid_app_is_refused_with_its_path(
    users_world: Any, change: dict[str, Any], place: str, error_code: str
) -> None:
    """Each rule for applications refuses the whole document with the path (AZ-01, AZ-03)."""
    wanted = users_world.organization(projects=[{"name": "web", "oidcApps": [users_world.app(**change)]}])
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(wanted)

    assert (refused.value.kind, refused.value.id) == (Kind.INVALID_REQUEST, error_code)
    assert refused.value.text.startswith(f"organizations[0].projects[0].oidcApps[0].{place}: ")
    assert await users_world.rows("orgs", name=wanted["name"]) == []


@pytest.mark.parametrize(
    ("change", "place", "error_code"),
    [
        ({"id": ".."}, "id", "USER-001"),
        ({"username": "a\u200bb"}, "username", "USER-003"),
        ({"email": {"email": "nobody"}}, "email.email", "USER-005"),
        ({"phone": {"phone": "079 123"}}, "phone.phone", "USER-006"),
        ({"password": {"password": "short"}}, "password.password", "USER-030"),
        ({"roles": ["ORG_OWNER", "KING"]}, "roles[1]", "USER-040"),
        ({"metadata": {"": "x"}}, "metadata", "USER-007"),
        ({"attributes": {"picture": "javascript:alert(1)"}}, "attributes.picture", "USER-008"),
        ({"attributes": {"middleName": "a\nb"}}, "attributes.middleName", "USER-002"),
    ],
)
async def test_invalid_user_is_refused_with_its_path(
    users_world: Any, change: dict[str, Any], place: str, error_code: str
) -> None:
    """Each rule for users refuses the whole document with the path (LG-24, MG-14)."""
    wanted = users_world.organization(humans=[users_world.human(**change)])
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(wanted)

    assert (refused.value.kind, refused.value.id) == (Kind.INVALID_REQUEST, error_code)
    assert refused.value.text.startswith(f"organizations[0].humans[0].{place}: ")


@pytest.mark.parametrize("id", ["b\u00fccher", "\u65e5\u672c", "two words", 'a"b'])
async def test_organization_that_no_header_or_scope_can_name_is_refused(users_world: Any, id: str) -> None:
    wanted = {**users_world.organization(), "id": f"{id}-{users_world.tag}"}
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(wanted, check=True)

    assert refused.value.id == "USER-009"
    assert refused.value.text.startswith("organizations[0].id: ")


@pytest.mark.parametrize("member", ["id", "clientId"])
async def test_reserved_audience_is_refused_as_id(users_world: Any, member: str) -> None:
    """A token with Portico's own project as audience is accepted by its API, so no other object may have that id."""
    app = {**users_world.app(), member: "portico"}
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(users_world.organization(projects=[{"name": "web", "oidcApps": [app]}]))

    assert (refused.value.kind, refused.value.id) == (Kind.INVALID_REQUEST, "USER-001")
    assert refused.value.text.startswith(f"organizations[0].projects[0].oidcApps[0].{member}: ")


async def test_client_id_never_changes(users_world: Any) -> None:
    """Another client id for an existing application is refused."""
    await users_world.apply()
    renamed = users_world.app(clientId=f"other-{users_world.tag}")
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(users_world.organization(projects=[{"name": "web", "oidcApps": [renamed]}]))

    assert (refused.value.kind, refused.value.id) == (Kind.FAILED_PRECONDITION, "USER-013")


async def test_repeated_name_is_refused(users_world: Any) -> None:
    """Two users with the same canonical name in a document are refused before anything is stored."""
    twin = users_world.human(username=users_world.user_name.upper())
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(users_world.organization(humans=[users_world.human(), twin]))

    assert refused.value.id == "USER-011"
    assert refused.value.text.startswith("organizations[0].humans[1].username: ")
    assert await users_world.rows("orgs", name=f"Acme {users_world.tag}") == []


async def test_verified_address_stays_verified(users_world: Any) -> None:
    """A document that does not assert an address does not revoke its verification."""
    await users_world.apply()
    human = users_world.human(email={"email": f"alice-{users_world.tag}@mail.example"})
    applied = await users_world.apply(users_world.organization(humans=[human]))

    assert applied.changes[3].action == "unchanged"
