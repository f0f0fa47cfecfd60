"""Derives from the event log how addresses of stored accounts were verified."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from portico_contracts.users import FIND_USER, FindUser
from portico_runtime.mongo import migrations
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.email_address import with_address, with_proof
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.proof_migration import ProofMigration
from portico_users.journal.journal import Journal

pytestmark = pytest.mark.servers


async def forget_proofs(users_world: Any, *user_ids: str) -> None:
    users = users_world.parts.mongo.database["users"]
    await users.update_many({"_id": {"$in": user_ids}}, {"$unset": {"emailProof": ""}})


async def human(users_world: Any, user_id: str) -> EndUser:
    found = await MongoAccounts(users_world.parts.mongo.database).find(user_id)
    assert isinstance(found, EndUser)
    return found


async def commit(users_world: Any, before: EndUser, after: EndUser, actor: str) -> None:
    await users_world.service.find(Journal).commit([put_end_user(before, after)], actor=actor)


async def derived(users_world: Any, user_id: str) -> tuple[str, float]:
    await forget_proofs(users_world, user_id)
    await users_world.service.find(ProofMigration).derive_all()
    proof = (await human(users_world, user_id)).email_proof
    return (str(proof.kind), proof.at) if proof else ("", 0.0)


async def test_registered_address_was_proven(users_world: Any) -> None:
    """A registered user entered an emailed code; the time is that of the account's first event."""
    await users_world.home()
    sent = await users_world.register(users_world.mail())
    user = await users_world.verify(sent.challenge, await users_world.newest_code(users_world.mail()))
    when = users_world.clock.now()
    users_world.clock.tick(60)

    assert await derived(users_world, user.user_id) == ("proven", when)


async def test_applied_address_was_asserted(users_world: Any) -> None:
    """An address of the operator's document is not proven by a code."""
    await users_world.home(humans=[users_world.human(id=f"ada-{users_world.tag}")])

    assert await derived(users_world, f"ada-{users_world.tag}") == ("asserted", users_world.clock.now())


@pytest.mark.parametrize(
    ("actor", "kind"), [("the user", "proven"), ("an administrator", "asserted"), ("system", "asserted")]
)
async def test_address_verified_later_was_proven_by_its_user(users_world: Any, actor: str, kind: str) -> None:
    """An event that only verifies means a code if the user is the actor, and an administrator's assertion otherwise."""
    id = f"ada-{users_world.tag}"
    await users_world.home(humans=[users_world.human(id=id, email={"email": users_world.mail()})])
    users_world.clock.tick(60)
    before = await human(users_world, id)
    await commit(users_world, before, with_proof(before, emailed=True), id if actor == "the user" else actor)

    assert await derived(users_world, id) == (kind, users_world.clock.now())


async def test_address_that_was_set_as_verified_was_asserted(users_world: Any) -> None:
    """An event that sets and verifies the address at once is a manager's assertion, also for managers' own
    addresses.
    """
    id = f"ada-{users_world.tag}"
    await users_world.home(humans=[users_world.human(id=id, email={"email": users_world.mail()})])
    before = await human(users_world, id)
    after = with_address(before, users_world.mail("other"), verified=True, recovery_from=0.0)
    await commit(users_world, before, after, id)

    assert await derived(users_world, id) == ("asserted", users_world.clock.now())


async def test_address_without_event_was_asserted(users_world: Any) -> None:
    """Without an event the address counts as asserted since the account was created."""
    id = f"ada-{users_world.tag}"
    await users_world.home(humans=[users_world.human(id=id)])
    await users_world.parts.mongo.database["events"].delete_many({"object": id})

    assert await derived(users_world, id) == ("asserted", users_world.clock.now())


async def test_derived_proof_counts_at_sign_in(users_world: Any) -> None:
    """A stored account is found by its proven address although another user asserts it; no event is published."""
    mail = users_world.mail()
    await users_world.home()
    sent = await users_world.register(mail)
    user = await users_world.verify(sent.challenge, await users_world.newest_code(mail))
    await users_world.home(humans=[users_world.human(email={"email": mail, "isVerified": True})])
    await forget_proofs(users_world, user.user_id)
    events = len(await users_world.rows("events", object=user.user_id))
    await users_world.service.find(ProofMigration).derive_all()
    again = await users_world.service.find(ProofMigration).derive_all()
    found = (await users_world.call(FIND_USER, FindUser(login_name=mail, org_id=""))).user

    assert found is not None
    assert found.user_id == user.user_id
    assert again == 0
    assert len(await users_world.rows("events", object=user.user_id)) == events


async def test_unrelated_change_keeps_proof_underived(users_world: Any) -> None:
    """A version written before the derivation asserts nothing about an address that was verified before it."""
    id = f"ada-{users_world.tag}"
    await users_world.home(humans=[users_world.human(id=id)])
    await forget_proofs(users_world, id)
    before = await human(users_world, id)
    await commit(users_world, before, msgspec.structs.replace(before, nick_name="A"), "system")

    assert (await human(users_world, id)).email_proof is None
    assert await users_world.service.find(ProofMigration).derive_all() >= 1


async def test_few_among_many_are_found(users_world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each query goes through a window of ids, most of which have nothing to migrate."""
    # Users of earlier tests would be thousands of windows.
    await users_world.parts.mongo.database["users"].delete_many({})
    ids = [f"{letter}-{users_world.tag}" for letter in "abcdefg"]
    await users_world.home(
        humans=[
            users_world.human(id=id, username=id, email={"email": f"{id}@mail.test", "isVerified": True}) for id in ids
        ]
    )
    migration = users_world.service.find(ProofMigration)
    await forget_proofs(users_world, ids[0], ids[6])
    monkeypatch.setattr(migrations, "WINDOW", 2)

    assert await migration.count_left() == 2
    assert await migration.derive_all() == 2
    assert await migration.count_left() == 0
