"""An export applied to the same installation changes nothing; applied elsewhere it creates the same objects."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from portico_contracts.apply import Document
from portico_contracts.users import APPLY, EXPORT, Applied, Apply, Export
from portico_harness.servers import RunningMongo
from portico_oauth.errors import ServiceError
from portico_runtime.mongo.client import MongoClient
from portico_users.documents import exporter

from .exported import export_org, jwt_idp, rich

pytestmark = pytest.mark.servers

NOT_WRITTEN = ("password", "clientSecret", "expirationDate", "publicKey")


async def export_all(world: Any, tag: str) -> Document:
    instance = (await world.call(EXPORT, Export())).document
    idps = tuple(idp for idp in instance.jwt_idps or () if tag in idp.id)
    orgs = [(await export_org(world, id))[0] for id in (f"org-{tag}", f"other-{tag}")]
    return Document(organizations=tuple(orgs), jwt_idps=idps)


async def apply(world: Any, document: Document, **how: Any) -> Applied:
    applied: Applied = await world.call(APPLY, Apply(document=document, **how))
    assert applied.failure is None
    return applied


@pytest.fixture
async def empty_world(mongo_server: RunningMongo, new_replica: Any) -> AsyncIterator[Any]:
    client = MongoClient(mongo_server.section("keys"), "keys")
    for name in await client.database.list_collection_names():
        await client.database[name].delete_many({})
    yield await new_replica(client, secrets.token_bytes)
    await client.close()


async def test_export_applied_to_its_source_changes_nothing(users_world: Any) -> None:
    """Neither plan, apply nor prune changes anything, and no event is written."""
    await users_world.apply_document(rich(users_world))
    document = await export_all(users_world, users_world.tag)
    events = await users_world.rows("events", orgId=f"org-{users_world.tag}")
    planned = await apply(users_world, document, check=True)
    # The instance's list is omitted: other tests have providers in the same database.
    pruned = await apply(users_world, msgspec.structs.replace(document, jwt_idps=None), prune=True)
    applied = await apply(users_world, document)

    assert [change for change in planned.changes if change.action != "unchanged"] == []
    assert [change for change in pruned.changes if change.action != "unchanged"] == []
    assert [change for change in applied.changes if change.action != "unchanged"] == []
    assert await users_world.rows("events", orgId=f"org-{users_world.tag}") == events


@pytest.mark.parametrize("waits", [False, True], ids=["after its wait", "while it waits"])
async def test_reverified_address_is_unchanged(users_world: Any, waits: bool) -> None:
    """Applying an export neither ends the waiting period of an address nor removes the previously verified one
    (decision 0020).
    """
    await users_world.apply_document(rich(users_world))
    until = users_world.clock.now() + (3600 if waits else -1)
    left = {
        "email": users_world.mail("alice"),
        "emailVerified": True,
        "provenEmail": "former@a.example",
        "recoveryFrom": until,
    }
    people = users_world.parts.mongo.database["users"]
    await people.update_one({"_id": f"alice-{users_world.tag}"}, {"$set": left})
    document = await export_all(users_world, users_world.tag)
    applied = await apply(users_world, document)
    after = await people.find_one({"_id": f"alice-{users_world.tag}"})
    [alice] = [human for human in document.organizations[0].humans or () if human.id == f"alice-{users_world.tag}"]

    assert [change for change in applied.changes if change.action != "unchanged"] == []
    assert (after["provenEmail"], after["recoveryFrom"]) == ("former@a.example", until)
    assert alice.email.is_verified is not waits


def says(wanted: Any, written: Any) -> bool:
    if isinstance(wanted, dict):
        return all(says(value, written.get(key)) for key, value in wanted.items() if key not in NOT_WRITTEN)
    if isinstance(wanted, list):
        return len(wanted) == len(written) and all(map(says, wanted, written))
    return bool(wanted == written)


async def test_export_contains_the_applied_document(users_world: Any) -> None:
    """Every value of the applied document is exported, except secrets."""
    wanted = rich(users_world)
    await users_world.apply_document(wanted)
    written = msgspec.to_builtins(await export_all(users_world, users_world.tag))

    assert says(wanted["jwtIdps"], written["jwtIdps"])
    for one, there in zip(wanted["organizations"], written["organizations"], strict=True):
        for project, found in zip(one.get("projects", []), there["projects"] or [], strict=True):
            # They are sorted by name.
            found["oidcApps"] = sorted(found["oidcApps"] or [], key=lambda app: app["clientId"], reverse=True)
            assert says(project, found)
        assert says(one | {"projects": []}, there | {"projects": []})


async def test_export_creates_the_same_objects_elsewhere(users_world: Any, empty_world: Any) -> None:
    """Everything but secrets is created; a note lists the missing secrets, and the provider's own must be given."""
    await users_world.apply_document(rich(users_world))
    document = await export_all(users_world, users_world.tag)
    with pytest.raises(ServiceError, match=r"organizations\[0\]\.oidcIdps\[0\]\.clientSecret") as refused:
        await empty_world.call(APPLY, Apply(document=document))
    first, other = document.organizations
    assert first.oidc_idps
    with_secret = tuple(msgspec.structs.replace(idp, client_secret="again") for idp in first.oidc_idps)
    again = msgspec.structs.replace(
        document, organizations=(msgspec.structs.replace(first, oidc_idps=with_secret), other)
    )
    applied = await apply(empty_world, again)

    assert refused.value.id == "USER-830"
    assert {change.action for change in applied.changes} == {"created"}
    assert await export_all(empty_world, users_world.tag) == document


async def test_notes_list_missing_secrets(users_world: Any) -> None:
    """The notes name each object by id; neither document nor notes contain a secret (IN-09)."""
    tag = users_world.tag
    await users_world.apply_document(rich(users_world))
    org, notes = await export_org(users_world, f"org-{tag}")
    written = msgspec.json.encode(org).decode() + repr([note.text for note in notes])

    named = {f"{name}-{tag}" for name in ("alice", "shop", "orders", "oidc", "w", "org", "scim")}
    assert {note.id for note in notes} == named
    for hidden in ("of-the-other-side", "a whistle in the wood", "$argon2"):
        assert hidden not in written


async def test_many_users_are_exported_in_parts(users_world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 9 users is exported exactly once, in parts of 4."""
    monkeypatch.setattr(exporter, "USERS_PER_PART", 4)
    tag = users_world.tag
    people = [
        {
            "username": f"u{number}-{tag}",
            "profile": {"firstName": "A", "lastName": "B"},
            "email": {"email": users_world.mail(f"u{number}")},
        }
        for number in range(9)
    ]
    await users_world.apply_document({"organizations": [{"id": f"org-{tag}", "name": f"A {tag}", "humans": people}]})
    part = await users_world.call(EXPORT, Export(org_id=f"org-{tag}"))
    org, _notes = await export_org(users_world, f"org-{tag}")

    assert part.after
    assert sorted(str(human.username) for human in org.humans or ()) == sorted(str(one["username"]) for one in people)


async def test_what_providers_and_the_api_accept_is_exported(users_world: Any) -> None:
    """A picture of 2000 characters, an identity of 255 and the URL of an email hook can be read and applied again."""
    tag = users_world.tag
    url = f"https://a.example/{'x' * 1_982}"
    link = {"idp": f"own-{tag}", "userId": "u" * 255, "userName": "n" * 255}
    human = users_world.human(id=f"alice-{tag}", attributes={"picture": url}, idpLinks=[link])
    own = jwt_idp(f"own-{tag}")
    org = {"id": f"org-{tag}", "name": f"A {tag}", "jwtIdps": [own], "emailSender": {"url": url}, "humans": [human]}
    await users_world.apply_document({"organizations": [org]})
    of_earlier_release = {"$set": {"displayName": "n" * 401}}
    await users_world.parts.mongo.database["users"].update_one({"_id": f"alice-{tag}"}, of_earlier_release)
    written, _notes = await export_org(users_world, f"org-{tag}")
    applied = await apply(users_world, Document(organizations=(written,)))

    assert {change.action for change in applied.changes} == {"unchanged"}


async def test_unknown_organization_is_refused(users_world: Any) -> None:
    """An export of an unknown organization is refused with USER-836."""
    with pytest.raises(ServiceError) as refused:
        await users_world.call(EXPORT, Export(org_id="nobody"))

    assert refused.value.id == "USER-836"
