from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator
from typing import Any

import bcrypt
import pytest
from portico_contracts.authz import END_SESSIONS, EndSessions, SessionsEnded
from portico_contracts.token import REVOKE_USER, Revoked, RevokeUser
from portico_contracts.users import CHANGE_PASSWORD, HASH_KINDS, IMPORT_USERS, ChangePassword, GetHashKinds, ImportUsers
from portico_harness.servers import RunningMongo
from portico_runtime.mongo.client import MongoClient
from portico_users.credentials.passwords.hash_counts import HashCounts
from portico_users.credentials.passwords.hash_kinds import kind_of
from portico_users.credentials.passwords.hash_mix import DAY, LOOK_AGAIN
from portico_users.credentials.passwords.hashing import HashingPool

pytestmark = pytest.mark.servers

BCRYPT = "$2b$04$" + "." * 53
OWN = "own"
OTHER = "another one of mine"


@pytest.fixture
async def world(mongo_server: RunningMongo, new_replica: Any) -> AsyncIterator[Any]:
    client = MongoClient(mongo_server.section("keys"), "keys")
    for name in await client.database.list_collection_names():
        await client.database[name].delete_many({})
    world = await new_replica(client, secrets.token_bytes)
    world.bus.respond(REVOKE_USER, _revoke)
    world.bus.respond(END_SESSIONS, _end)
    yield world
    await client.close()


async def _revoke(_ask: RevokeUser) -> Revoked:
    return Revoked(grants=0)


async def _end(_ask: EndSessions) -> SessionsEnded:
    return SessionsEnded(sessions=0)


def hashed(world: Any) -> str:
    return bcrypt.hashpw(world.password.encode(), bcrypt.gensalt(4)).decode()


async def people(world: Any, *hashes: str) -> None:
    humans = []
    for number, hash in enumerate(hashes):
        human = world.human(id=f"h{number}", username=f"h{number}", email={"email": f"h{number}@mail.example"})
        if hash != OWN:
            del human["password"]
        humans.append({**human, "hashedPassword": {"hash": hash}} if hash not in ("", OWN) else human)
    await world.home(humans=humans)


async def counts(world: Any) -> dict[str, int]:
    return dict(await world.service.find(HashCounts).list_kinds())


async def compared(world: Any, *names: str) -> set[str]:
    mix = world.service.messages.passwords.verification.mix
    return {await mix.kind_for(name) for name in names}


NAMES = tuple(f"nobody-{number}" for number in range(200))


async def test_all_password_sources_are_counted(world: Any) -> None:
    """Imports, documents and password changes count the kind of hash in the same transaction."""
    await people(world, hashed(world), hashed(world))
    own = world.service.find(HashingPool).own_kind
    ada = {
        "username": "ada",
        "profile": {"firstName": "A", "lastName": "B"},
        "email": {"email": "ada@mail.example"},
        "hashedPassword": {"hash": hashed(world)},
    }
    imported = await world.call(IMPORT_USERS, ImportUsers(rows=(json.dumps(ada),), org_id=world.org_id))
    challenge = (await world.register(world.mail())).challenge
    await world.verify(challenge, await world.newest_code(world.mail()))

    assert [one.status for one in imported.rows] == ["created"]
    assert await counts(world) == {BCRYPT: 3, own: 1}


async def test_first_sign_in_updates_the_count(world: Any) -> None:
    """The stronger hash of the same password is counted instead of the imported one."""
    await people(world, hashed(world), hashed(world))
    found = await world.try_password("h0", world.password)

    assert found.user is not None
    assert await counts(world) == {BCRYPT: 1, world.service.find(HashingPool).own_kind: 1}


async def test_changed_password_updates_the_count(world: Any) -> None:
    """A replaced hash is no longer counted."""
    await people(world, hashed(world))
    ask = ChangePassword(user_id="h0", current_password=world.password, new_password=OTHER)
    changed = await world.call(CHANGE_PASSWORD, ask)

    assert changed.user is not None
    assert await counts(world) == {world.service.find(HashingPool).own_kind: 1}


async def test_deleted_user_is_not_counted(world: Any) -> None:
    """Deleting removes the hash and its count in one transaction."""
    await people(world, hashed(world), hashed(world))
    await world.apply_document(
        {
            "organizations": [
                {**world.organization(id=world.org_id, projects=[], humans=[]), "loginPolicy": {"mayRegister": True}}
            ]
        },
        prune=True,
    )

    assert await world.rows("passwords") == []
    assert await counts(world) == {}


async def test_older_passwords_are_counted_once(world: Any) -> None:
    """Passwords stored by a release without counters are counted in the background, exactly once."""
    await people(world, hashed(world), hashed(world))
    database = world.parts.mongo.database
    await database["hashCounts"].delete_many({})
    await database["passwords"].update_many({}, {"$unset": {"kind": ""}})
    await world.try_password("h0", world.password)
    await world.service.find(HashCounts).count_older()
    await world.service.find(HashCounts).count_older()

    assert await counts(world) == {BCRYPT: 1, world.service.find(HashingPool).own_kind: 1}


async def test_unknown_names_use_the_only_kind(world: Any) -> None:
    """Without imported hashes all known and unknown names use the same kind."""
    assert await compared(world, *NAMES) == {world.service.find(HashingPool).own_kind}


async def test_mix_is_updated_once_a_day(world: Any) -> None:
    """The first significant weights apply at once; afterwards they stay for a day, across replicas (LG-01)."""
    await compared(world, "nobody")
    await people(world, hashed(world), hashed(world))
    world.clock.tick(LOOK_AGAIN)
    first = await compared(world, *NAMES)
    await world.try_password("h0", world.password)
    world.clock.tick(DAY - 1)
    same = await compared(world, *NAMES)
    world.clock.tick(LOOK_AGAIN)
    second = await compared(world, *NAMES)

    assert first == same == {BCRYPT}
    assert second == {BCRYPT, world.service.find(HashingPool).own_kind}


@pytest.mark.parametrize("damage", ["lost", "negative", "of an unknown kind", "no weights"])
async def test_damaged_counts_do_not_break_sign_in(world: Any, damage: str) -> None:
    """Counters and weights only select a cost: whatever their state, the right password works and others do not
    (LG-01).
    """
    await people(world, hashed(world))
    await compared(world, "nobody")
    database = world.parts.mongo.database
    match damage:
        case "lost":
            await database["hashCounts"].delete_many({})
            await database["hashMix"].delete_many({})
        case "negative":
            await database["hashCounts"].update_many({}, {"$set": {"number": -5}})
        case "of an unknown kind":
            await database["hashCounts"].update_many({}, {"$set": {"kind": "$2b$31$" + "." * 53}})
        case _:
            await database["hashMix"].update_many({}, {"$set": {"weights": "none"}})
    world.clock.tick(DAY + LOOK_AGAIN)
    stranger = await world.try_password("nobody", world.password)
    found = await world.try_password("h0", world.password)

    assert stranger.user is None
    assert found.user is not None


@pytest.mark.parametrize("who", ["nobody", "without a password", "deactivated", "locked"])
async def test_unknown_names_use_the_queue_of_the_mix(world: Any, who: str) -> None:
    """Unknown, password-less, deactivated and locked users are compared with a hash of the mix, in its queue
    (LG-01).
    """
    await people(world, *[hashed(world)] * 5, "")
    states = {"deactivated": "inactive", "locked": "locked"}
    if who in states:
        await world.parts.mongo.database["users"].update_one({"_id": "h0"}, {"$set": {"state": states[who]}})
    world.clock.tick(LOOK_AGAIN)
    name = {"nobody": "nobody", "without a password": "h5"}.get(who, "h0")
    costs = world.service.find(HashingPool).costs
    before = costs.was_seen(BCRYPT)
    answer = await world.try_password(name, world.password)

    assert answer.user is None
    assert (before, costs.was_seen(BCRYPT)) == (False, True)


async def test_spellings_of_one_name_have_one_cost(world: Any) -> None:
    """A name with and without the organization's domain, in any case, has the same cost: two costs would reveal
    an unknown name (LG-01).
    """
    await people(world, hashed(world), OWN)
    domain = (await world.rows("orgs"))[0]["primaryDomain"]
    world.clock.tick(LOOK_AGAIN)
    drawn = [
        {await _drawn(world, spelling) for spelling in (name, name.upper(), f"{name}@{domain}")} for name in NAMES[:40]
    ]

    assert all(len(kinds) == 1 for kinds in drawn)
    assert set().union(*drawn) == {BCRYPT, world.service.find(HashingPool).own_kind}


async def _drawn(world: Any, name: str) -> str:
    seen: list[str] = []
    learner = world.service.find(HashingPool).costs.learner

    def learning(hash: str) -> Any:
        seen.append(kind_of(hash))
        return learner(hash)

    world.service.find(HashingPool).costs.learner = learning
    await world.try_password(name, "wrong")
    world.service.find(HashingPool).costs.learner = learner
    [kind] = seen
    return kind


async def test_operator_sees_slow_hashes(world: Any) -> None:
    """The kinds are listed with their users and duration; the import reports it for each row, also in a dry run."""
    world.service.find(HashingPool).costs.learner(BCRYPT)(3.0)
    await people(world, hashed(world), OWN, OWN)
    row = {"username": "ada", "profile": {"firstName": "A", "lastName": "B"}, "email": {"email": "ada@mail.example"}}
    costly, plain = json.dumps({**row, "hashedPassword": {"hash": hashed(world)}}), json.dumps(row)
    told = await world.call(IMPORT_USERS, ImportUsers(rows=(costly, plain), org_id=world.org_id, check=True))
    kinds = (await world.call(HASH_KINDS, GetHashKinds())).kinds

    assert [one.hash_seconds for one in told.rows] == [3.0, 0.0]
    assert [(kind.description, kind.users) for kind in kinds] == [("argon2, m=8, t=1, p=1", 2), ("bcrypt, cost=04", 1)]
    assert kinds[1].seconds == 3.0


async def test_unmeasured_hash_is_measured(world: Any) -> None:
    """The first hash of an algorithm is computed for the report, in its queue."""
    await people(world, hashed(world))
    before = world.service.find(HashingPool).costs.was_seen(BCRYPT)
    [kind] = (await world.call(HASH_KINDS, GetHashKinds())).kinds

    assert (before, world.service.find(HashingPool).costs.was_seen(BCRYPT)) == (False, True)
    assert 0 < kind.seconds < 60
