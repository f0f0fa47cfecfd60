from __future__ import annotations

from typing import Any

import pytest

from .scim_targeting import TOKEN, Targeting

pytestmark = pytest.mark.servers


@pytest.fixture
async def target(managed: Any) -> Targeting:
    return await Targeting(managed).set_up()


async def test_account_exists_before_the_first_sign_in(target: Targeting) -> None:
    """A role in the project gives an account, with our id as externalId and without a password."""
    id = await target.person("ada")
    await target.person("eve", role=False)
    await target.push()
    (account,) = target.server.accounts.values()

    assert account == {
        "id": account["id"],
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],
        "externalId": id,
        "userName": target.mail("ada"),
        "name": {"givenName": "Ada", "familyName": "Byron"},
        "displayName": "Ada Byron",
        "emails": [{"value": target.mail("ada"), "type": "work", "primary": True}],
        "active": True,
    }
    assert set(target.server.tokens) == {TOKEN}
    assert [row["userId"] for row in await target.rows()] == [id]


async def test_change_sends_only_what_differs(target: Targeting) -> None:
    """A change of other values costs no request."""
    id = await target.person("ada")
    await target.push()
    await target.rename(id, "Augusta")
    target.server.requests.clear()
    await target.push()
    (patch,) = (body for method, _, body in target.server.requests if method == "PATCH")
    await target.push()

    assert patch["Operations"] == [
        {"op": "replace", "path": "displayName", "value": "Augusta Byron"},
        {"op": "replace", "path": "name.givenName", "value": "Augusta"},
    ]
    assert target.server.written() == [("PATCH", "/Users/remote%2F1")]


@pytest.mark.parametrize("leaves", ["deactivate", "lock", "delete", "role"])
@pytest.mark.parametrize("deletes", [False, True])
async def test_leaver_becomes_inactive_or_is_deleted(managed: Any, leaves: str, *, deletes: bool) -> None:
    """An account is deleted only with the switch, and only of a user who was deleted or lost the role."""
    target = await Targeting(managed).set_up(deletesLeavers=deletes)
    id = (await managed.add(managed.new_human("ada"))).body["userId"]
    grant = await target.grant(id)
    await target.push()
    await (target.end_grant(id, grant) if leaves == "role" else target.user(leaves, id))
    await target.push()

    if deletes and leaves in ("delete", "role"):
        assert not target.server.accounts
    else:
        assert [one["active"] for one in target.server.accounts.values()] == [False]
        assert not [method for method, _ in target.server.written() if method == "DELETE"]
    if leaves == "delete":
        assert await target.rows() == []


async def test_user_who_returns_has_the_same_account(target: Targeting) -> None:
    id = await target.person("ada")
    await target.push()
    await target.user("deactivate", id)
    await target.push()
    await target.user("reactivate", id)
    await target.push()

    assert [(one["externalId"], one["active"]) for one in target.server.accounts.values()] == [(id, True)]


async def test_dry_run_only_reads_and_equals_what_is_then_done(managed: Any) -> None:
    """Of an inactive target: who gets an account, whose changes, who becomes inactive, and who is refused."""
    target = await Targeting(managed).set_up(active=False, adopts=True)
    ids = {name: await target.person(name) for name in ("new", "altered", "same", "left", "known", "taken")}
    await target.user("deactivate", ids["left"])
    server, mail = target.server, target.mail
    server.add(mail("altered"), externalId=ids["altered"], displayName="Old")
    names = {"name": {"givenName": "Ada", "familyName": "Byron"}, "displayName": "Ada Byron"}
    server.add(mail("same").upper(), externalId=ids["same"], emails=[{"value": mail("same")}], **names)
    server.add(mail("left"), externalId=ids["left"], **names)
    server.add(mail("known"), emails=[{"value": mail("known")}])
    server.add(mail("taken"), externalId="another")
    server.add("admin")
    before = {id: dict(one) for id, one in server.accounts.items()}
    found = await target.dry_run()

    assert server.accounts == before
    assert server.written() == []
    counts = {name.removesuffix("Count"): int(value) for name, value in found.items() if name.endswith("Count")}
    assert counts == {"create": 1, "adopt": 1, "change": 1, "deactivate": 1, "unchanged": 1, "refuse": 1}
    assert found["created"] == found["changed"] == found["deactivated"] == ["Ada Byron"]
    await target.call("Activate")
    await target.compare()
    done = {method: len([one for one, _ in server.written() if one == method]) for method in ("POST", "PATCH")}
    assert done == {"POST": counts["create"], "PATCH": counts["adopt"] + counts["change"] + counts["deactivate"]}
    after = await target.dry_run()
    assert (after["unchangedCount"], after["refuseCount"]) == ("5", "1")
    assert not set(after) & {"createCount", "adoptCount", "changeCount", "deactivateCount", "deleteCount"}
    assert server.named("admin") == {"id": "remote/6", "userName": "admin", "active": True}
    assert [one["cause"] for one in (await target.read())["failures"]] == [
        "the target has an account with this userName that belongs to another externalId"
    ]


async def test_comparison_repairs_once_a_day(target: Targeting) -> None:
    """What was changed or lost at the target comes back a day later, also if no event did it."""
    kept, lost = [await target.person(name) for name in ("kept", "lost")]
    gone = await target.person("gone")
    await target.push()
    server = target.server
    by_user = {one["externalId"]: one for one in server.accounts.values()}
    by_user[kept]["displayName"] = "Somebody else"
    del server.accounts[by_user[lost]["id"]]
    await target.user("delete", gone)
    await target.events()
    await target.managed.users.parts.mongo.database["scimTargetUsers"].delete_many({"userId": gone})
    await target.work()
    assert by_user[kept]["displayName"] == "Somebody else"
    target.managed.users.clock.tick(86_401.0)
    await target.work()

    assert {one["externalId"]: (one["displayName"], one["active"]) for one in server.accounts.values()} == {
        kept: ("Ada Byron", True),
        lost: ("Ada Byron", True),
        gone: ("Ada Byron", False),
    }


async def test_group_that_gets_roles_gives_accounts(target: Targeting) -> None:
    """A change of a group concerns all its members, so that the target is compared."""
    id = await target.person("ada", role=False)
    group = f"group-owner-{target.tag}"
    await target.join(id, group)
    await target.push()
    assert not target.server.accounts
    await target.grant_group(group)
    await target.compare()

    assert [one["externalId"] for one in target.server.accounts.values()] == [id]


async def test_dry_run_of_an_active_target_sends_nothing(target: Targeting) -> None:
    """The next comparison sends what it found."""
    await target.person("ada")
    await target.push()
    target.server.named(target.mail("ada"))["displayName"] = "Another"
    target.server.requests.clear()
    found = await target.dry_run()

    assert found["changeCount"] == "1"
    assert target.server.written() == []
