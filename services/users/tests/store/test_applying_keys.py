from __future__ import annotations

import asyncio
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from portico_contracts.users import AuthMethod
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.jose import VerificationKey

pytestmark = pytest.mark.servers

OIDC_ASSERTION = {"authMethodType": "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT"}
API_ASSERTION = {"authMethodType": "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT"}


@pytest.mark.parametrize("kind", ["oidc", "api"])
async def test_keys_of_an_app_are_returned(users_world: Any, kind: str) -> None:
    """A registered key is returned as a public JWK with kid and alg; a second run changes nothing."""
    key = users_world.key(id=f"k-{users_world.tag}", expirationDate=users_world.moment(60))
    if kind == "oidc":
        document = users_world.only_apps(oidc=[users_world.app(keys=[key], **OIDC_ASSERTION)])
    else:
        document = users_world.only_apps(api=[users_world.api_app(keys=[key], **API_ASSERTION)])
    first, second = await users_world.apply(document), await users_world.apply(document)
    found = await users_world.client(f"{'shop' if kind == 'oidc' else 'orders'}-{users_world.tag}")
    [public] = found.keys

    assert first.changes[2].generated_secret == ""
    assert second.changes[2].action == "unchanged"
    assert (found.auth_method, found.secret_hash) == (AuthMethod.PRIVATE_KEY_JWT, "")
    assert (public.kid, public.alg, public.expires_at) == (key["id"], "ES256", users_world.clock.now() + 60)
    assert VerificationKey.from_jwk(public.jwk).kid == key["id"]


async def test_kid_defaults_to_the_thumbprint(users_world: Any) -> None:
    """The same key in a later run is recognized; its owner can compute the kid (RFC 7638)."""
    key = users_world.key()
    first, second = await users_world.apply_robot(keys=[key]), await users_world.apply_robot(keys=[key])
    found = await users_world.service_user(first.id)

    assert second.action == "unchanged"
    assert found is not None
    assert len(found.keys) == 1
    assert len(found.keys[0].kid) == 43


async def test_changed_key_is_updated_and_others_stay(users_world: Any) -> None:
    """Another key with the same id replaces it; keys absent from the document stay."""
    tag = users_world.tag
    first, other, changed = (
        users_world.key(id=f"a-{tag}"),
        users_world.key(id=f"b-{tag}"),
        users_world.key(id=f"a-{tag}"),
    )
    robot = await users_world.apply_robot(keys=[first, other])
    before = await users_world.service_user(robot.id)
    change = await users_world.apply_robot(keys=[changed])
    later = await users_world.service_user(robot.id)
    events = await users_world.rows("events", object=robot.id, sequence=2)

    assert (change.action, change.fields) == ("updated", ("keys",))
    assert before is not None
    assert later is not None
    assert [key.kid for key in later.keys] == [f"a-{tag}", f"b-{tag}"]
    assert later.keys[0].jwk != before.keys[0].jwk
    assert later.keys[1] == before.keys[1]
    assert [event["fields"] for event in events] == [["keys"]]


async def test_expired_key_is_not_returned(users_world: Any) -> None:
    """A key expires without an event, and applying its document again changes nothing."""
    key = users_world.key(id=f"k-{users_world.tag}", expirationDate=users_world.moment(60))
    forever = users_world.key(id=f"f-{users_world.tag}")
    app = users_world.app(keys=[{**users_world.key(), "expirationDate": users_world.moment(60)}], **OIDC_ASSERTION)
    await users_world.apply(users_world.only_apps(oidc=[app]))
    robot = await users_world.apply_robot(keys=[key, forever])
    users_world.clock.tick(60)
    found = await users_world.service_user(robot.id)
    again = await users_world.apply_robot(keys=[key, forever])

    assert found is not None
    assert [one.kid for one in found.keys] == [forever["id"]]
    assert (await users_world.client(f"shop-{users_world.tag}")).keys == ()
    assert again.action == "unchanged"


@pytest.mark.parametrize("end", [None, "1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z"])
async def test_registered_key_can_be_ended_at_once(users_world: Any, end: str | None) -> None:
    """An expiration in the past is refused for a new key, and ends a registered one."""
    key = users_world.key(id=f"k-{users_world.tag}")
    past = {**key, "expirationDate": end or users_world.moment(0)}
    with pytest.raises(ServiceError) as refused:
        await users_world.apply_robot(keys=[past])
    robot = await users_world.apply_robot(keys=[key])
    ended = await users_world.apply_robot(keys=[past])
    found = await users_world.service_user(robot.id)

    assert (refused.value.kind, refused.value.id) == (Kind.INVALID_REQUEST, "USER-053")
    assert refused.value.text.startswith("organizations[0].serviceUsers[0].keys[0].expirationDate: ")
    assert ended.action == "updated"
    assert found is not None
    assert found.keys == ()


PRIVATE = ed25519.Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


@pytest.mark.parametrize(
    ("change", "place", "error_code"),
    [
        ({"publicKey": "a shared secret"}, "publicKey", "USER-051"),
        ({"publicKey": PRIVATE}, "publicKey", "USER-050"),
        ({"expirationDate": "tomorrow"}, "expirationDate", "USER-052"),
        ({"expirationDate": "9999-12-31T23:59:59-01:00"}, "expirationDate", "USER-052"),
        ({"expirationDate": "9999-12-31T23:59:59.9999999Z"}, "expirationDate", "USER-052"),
        ({"id": ".."}, "id", "USER-001"),
        ({"id": "a\nb"}, "id", "USER-001"),
    ],
    ids=["no key", "private key", "no moment", "year 10000", "rounded to it", "no id", "control character"],
)
@pytest.mark.parametrize("owner", ["oidcApps", "apiApps", "serviceUsers"])
async def test_invalid_key_is_refused_with_its_path(
    users_world: Any, owner: str, change: dict[str, Any], place: str, error_code: str
) -> None:
    """For every kind of owner an invalid key refuses the whole document with the path (JW-02)."""
    keys = [users_world.key(), users_world.key(**change)]
    documents = {
        "oidcApps": users_world.only_apps(oidc=[users_world.app(keys=keys, **OIDC_ASSERTION)]),
        "apiApps": users_world.only_apps(api=[users_world.api_app(keys=keys, **API_ASSERTION)]),
        "serviceUsers": users_world.organization(serviceUsers=[users_world.robot(keys=keys)]),
    }
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(documents[owner])

    assert (refused.value.kind, refused.value.id) == (Kind.INVALID_REQUEST, error_code)
    assert f"{owner}[0].keys[1].{place}: " in refused.value.text
    assert await users_world.rows("orgs", name=documents[owner]["name"]) == []


@pytest.mark.parametrize("kind", ["oidc", "api"])
async def test_keys_need_the_method_that_uses_them(users_world: Any, kind: str) -> None:
    """Keys of an application whose method uses a secret are refused."""
    app = {"oidc": users_world.app, "api": users_world.api_app}[kind]
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(users_world.only_apps(**{kind: [app(keys=[users_world.key()])]}))

    assert (refused.value.kind, refused.value.id) == (Kind.INVALID_REQUEST, "USER-027")
    assert refused.value.text.startswith(f"organizations[0].projects[0].{kind}Apps[0].keys: ")


async def test_keys_are_not_returned_for_another_method(users_world: Any) -> None:
    """Keys stay with an application that changes its method, but cannot be used meanwhile (TK-16)."""
    signing = users_world.app(keys=[users_world.key(id=f"k-{users_world.tag}")], **OIDC_ASSERTION)
    bare = users_world.app(**OIDC_ASSERTION)
    kids = []
    for app in (signing, users_world.app(), bare):
        await users_world.apply(users_world.only_apps(oidc=[app]))
        kids.append([key.kid for key in (await users_world.client(f"shop-{users_world.tag}")).keys])

    assert kids == [[f"k-{users_world.tag}"], [], [f"k-{users_world.tag}"]]


async def test_id_of_a_key_is_unique_in_the_instance(users_world: Any) -> None:
    """A kid of another owner, or the id of another object, is refused with its path."""
    tag = users_world.tag
    await users_world.apply(
        users_world.organization(humans=[], serviceUsers=[users_world.robot(keys=[users_world.key(id=f"k-{tag}")])])
    )
    for taken in (f"k-{tag}", f"shop-{tag}", f"robot-{tag}"):
        other = users_world.robot(id=f"other-{tag}", username=f"other-{tag}", keys=[users_world.key(id=taken)])
        for check in (True, False):
            with pytest.raises(ServiceError) as refused:
                await users_world.apply(users_world.organization(humans=[], serviceUsers=[other]), check=check)

            assert (refused.value.kind, refused.value.id) == (Kind.ALREADY_EXISTS, "USER-010")
            assert refused.value.text.startswith("organizations[0].serviceUsers[0].keys[0].id: ")


@pytest.mark.parametrize("named", [True, False], ids=["by id", "by key"])
async def test_repeated_key_is_refused(users_world: Any, named: bool) -> None:
    """A kid, or a key without an id, at two owners is refused before anything is stored."""
    key = users_world.key(id=f"k-{users_world.tag}") if named else users_world.key()
    app = users_world.app(keys=[key], **OIDC_ASSERTION)
    robot = users_world.robot(keys=[{**key, "publicKey": key["publicKey"].strip()}])
    wanted = users_world.organization(projects=[{"name": "web", "oidcApps": [app]}], serviceUsers=[robot])
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(wanted)

    assert (refused.value.kind, refused.value.id) == (Kind.ALREADY_EXISTS, "USER-010")
    assert refused.value.text.startswith("organizations[0].serviceUsers[0].keys[0]")
    assert await users_world.rows("orgs", name=wanted["name"]) == []


async def test_concurrent_creation_of_a_kid_succeeds_once(users_world: Any, other_replica: Any) -> None:
    """Of twenty owners on two replicas one gets the kid; all others get ALREADY_EXISTS (MG-08)."""
    tag = users_world.tag
    worlds = [users_world, other_replica] * 10
    robots = [{"id": f"r{number}-{tag}", "username": f"r{number}-{tag}", "name": "Robot"} for number in range(20)]
    await users_world.apply({"name": f"Acme {tag}", "serviceUsers": robots})
    runs = [
        world.apply({"name": f"Acme {tag}", "serviceUsers": [{**robot, "keys": [users_world.key(id=f"k-{tag}")]}]})
        for world, robot in zip(worlds, robots, strict=True)
    ]
    results = await asyncio.gather(*runs, return_exceptions=True)
    refused = [result for result in results if isinstance(result, BaseException)]
    holders = await users_world.rows("users", **{"keys.kid": f"k-{tag}"})

    assert len(refused) == 19
    assert {(getattr(one, "kind", one), getattr(one, "id", "")) for one in refused} == {
        (Kind.ALREADY_EXISTS, "USER-010")
    }
    assert len(holders) == 1
    assert [row["object"] for row in await users_world.rows("ids", _id=f"k-{tag}")] == [holders[0]["_id"]]


async def test_unchanged_key_keeps_its_creation_date(users_world: Any) -> None:
    """Another public key with the same id is a new key."""
    id = f"k-{users_world.tag}"
    key, other = users_world.key(id=id), users_world.key(id=id)
    robot = await users_world.apply_robot(keys=[key])
    created = []
    for declared in (key, {**key, "expirationDate": users_world.moment(600)}, other):
        await users_world.apply_robot(keys=[declared])
        (row,) = await users_world.rows("users", _id=robot.id)
        created.append(row["keys"][0]["created"] - users_world.clock.now())
        users_world.clock.tick(60)

    assert created == [0, -60, 0]
