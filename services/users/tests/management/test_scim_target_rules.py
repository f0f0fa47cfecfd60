"""What protects a target, and the accounts of others there."""

from __future__ import annotations

from typing import Any

import pytest

from .scim_targeting import TOKEN, Targeting

pytestmark = pytest.mark.servers


@pytest.fixture
async def target(managed: Any) -> Targeting:
    return await Targeting(managed).set_up()


@pytest.mark.parametrize(
    ("address", "adopts", "adopted"),
    [("ada", True, True), ("ada", False, False), ("admin", True, False), ("", True, False)],
)
async def test_existing_account_is_taken_over_by_its_verified_address_alone(
    managed: Any, address: str, *, adopts: bool, adopted: bool
) -> None:
    """The login name of an account at the target, which users choose, is not enough."""
    target = await Targeting(managed).set_up(adopts=adopts)
    emails = {"emails": [{"value": target.mail(address)}]} if address else {}
    boss = f"boss-{target.tag}"
    target.server.add(boss, **emails)
    id = await target.person("ada", username=boss)
    await target.push()

    assert target.server.named(boss).get("externalId", "") == (id if adopted else "")
    assert len(target.server.accounts) == 1
    assert len((await target.read()).get("failures", [])) == (0 if adopted else 1)


async def test_account_of_another_external_id_is_never_taken(managed: Any) -> None:
    target = await Targeting(managed).set_up(adopts=True)
    target.server.add(target.mail("ada"), externalId="theirs", emails=[{"value": target.mail("ada")}])
    await target.person("ada")
    await target.push()

    assert target.server.named(target.mail("ada"))["externalId"] == "theirs"
    assert target.server.written() == []


async def test_target_that_ignores_filters_loses_no_account(managed: Any) -> None:
    """What a search answers is compared here: the first of all accounts is not the user's."""
    target = await Targeting(managed).set_up(adopts=True)
    target.server.ignores_filters = True
    boss = target.server.add("boss", emails=[{"value": "boss@mail.example"}])
    await target.person("ada")
    await target.push()

    assert target.server.accounts[boss]["userName"] == "boss"
    assert target.server.named(target.mail("ada"))


async def test_id_of_the_target_that_another_account_has_now_is_not_followed(target: Targeting) -> None:
    """The target gave the id again; the user's account is looked up, and made again."""
    id = await target.person("ada")
    await target.push()
    (remote,) = target.server.accounts
    target.server.accounts[remote] = {"id": remote, "userName": "bob", "externalId": "bob", "active": True}
    await target.user("deactivate", id)
    await target.push()

    assert target.server.accounts[remote]["active"]


async def test_unverified_address_is_not_sent(managed: Any) -> None:
    """Applications take an address for proven: a user who registered with the address of another would get its account."""
    target = await Targeting(managed).set_up(
        userName="SCIM_TARGET_USER_NAME_ADDRESS", people="SCIM_TARGET_PEOPLE_ORGANIZATION"
    )
    await target.person(
        "ada", role=False, username="lovelace", email={"email": target.mail("ada"), "isVerified": False}
    )
    await target.push()

    assert target.mail("ada") not in str(target.server.requests)
    assert target.server.named(f"self-{target.tag}@people.example")
    assert "not verified" in str((await target.read())["failures"])


async def test_stored_token_is_sent_to_its_address_alone(target: Targeting) -> None:
    """A new address without the token would reveal it to that address."""
    refused = await target.change(url="https://evil.example/v2")
    kept = await target.change(url=f"{target.server.base}/", rate=7)
    moved = await target.change(url="https://new.example/v2", tokenSecret="another")
    (stored,) = await target.managed.users.rows("scimTargets", _id=target.id)

    assert (refused.code, refused.error_code) == (3, "USER-264")
    assert (kept.code, moved.code) == (0, 0)
    assert TOKEN not in str(stored)
    assert "another" not in str(stored["token"])
    assert "tokenSecret" not in await target.read()


async def test_account_by_login_name_has_no_unverified_address(target: Targeting) -> None:
    await target.person("ada", username=f"ada-{target.tag}", email={"email": target.mail("ada"), "isVerified": False})
    await target.push()

    assert "emails" not in target.server.named(f"ada-{target.tag}")


async def test_user_without_a_verified_address_is_still_deactivated(managed: Any) -> None:
    target = await Targeting(managed).set_up(userName="SCIM_TARGET_USER_NAME_ADDRESS")
    id = await target.person("ada", email={"email": target.mail("ada"), "isVerified": False})
    target.server.add(target.mail("ada"), externalId=id)
    await target.user("deactivate", id)
    await target.call("Compare")
    await target.push()

    assert not target.server.named(target.mail("ada"))["active"]


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"url": "http://scim.example/v2"}, "USER-262"),
        ({"url": "https://127.0.0.1/v2"}, "USER-262"),
        ({"url": "https://169.254.169.254/"}, "USER-262"),
        ({"url": "https://ada@scim.example/v2"}, "USER-262"),
        ({"url": "https://scim.example/v2?x=1"}, "USER-262"),
        ({"url": "https://scim.example/v2#x"}, "USER-262"),
        ({"tokenSecret": "two words"}, "USER-263"),
        ({"tokenSecret": "a\r\nX-Admin: 1"}, "USER-263"),
        ({"tokenSecret": "é"}, "USER-263"),
        ({"rate": 0}, "USER-265"),
        ({"rate": 51}, "USER-265"),
    ],
)
async def test_bad_settings_are_refused(managed: Any, settings: dict[str, Any], error: str) -> None:
    target = await Targeting(managed).set_up(active=False)
    before = await managed.users.rows("scimTargets", appId=target.app_id)
    answer = await target.add(**{"name": "second", **settings})

    assert (answer.code, answer.error_code) == (3, error)
    assert await managed.users.rows("scimTargets", appId=target.app_id) == before


async def test_nothing_is_sent_before_the_activation_or_after_the_end(managed: Any) -> None:
    """An inactive target, and a removed one, get neither changes nor that a user left."""
    target = await Targeting(managed).set_up(active=False)
    id = await target.person("ada")
    await target.push()
    assert target.server.requests == []
    await target.call("Activate")
    await target.compare()
    assert len(target.server.accounts) == 1
    target.server.requests.clear()
    await target.call("Deactivate")
    await target.user("deactivate", id)
    await target.push()
    await target.remove()
    await target.push()

    assert target.server.requests == []
    assert await target.rows() == []
    assert await managed.users.rows("scimTargetQueues", _id=target.id) == []


async def test_target_ends_with_its_application(target: Targeting) -> None:
    path = f"/management/v1/projects/{target.project_id}/apps/{target.app_id}"
    answer = await target.managed.api.json(
        "portico.management.v1.AppService.RemoveApp", "", token=target.managed.tokens["owner"], path=path
    )
    (stored,) = await target.managed.users.rows("scimTargets", _id=target.id)

    assert answer.code == 0
    assert (stored["state"], stored["token"]) == ("deleted", "")


async def test_users_of_other_organizations_are_not_sent(managed: Any) -> None:
    """Also with the setting for all users of the organization."""
    target = await Targeting(managed).set_up(people="SCIM_TARGET_PEOPLE_ORGANIZATION")
    await target.push()
    sent = {one["externalId"] for one in target.server.accounts.values()}
    target.server.add("foreign", externalId=f"foreign-{target.tag}")
    await target.call("Compare")
    await target.work()

    assert sent == {f"{name}-{target.tag}" for name in ("owner", "viewer", "iam", "self")}
    assert target.server.named("foreign")["active"]
