"""New accounts with a proven address of a verified domain (decision 0144)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import GET_LOGIN_POLICY, GetLoginPolicy

pytestmark = [pytest.mark.servers, pytest.mark.usefixtures("fresh_instance")]


async def acme(world: Any, *, verified: bool = True, joined: dict[str, Any] | None = None, **policy: Any) -> str:
    """An organization with a domain; returns an address there. The one that is joined lets everyone register."""
    domain = f"acme-{world.tag}.example"
    org_id, address = f"acme-{world.tag}", f"eve@{domain}"
    acme: dict[str, Any] = {"id": org_id, "name": f"Home {world.tag}", "projects": [], "humans": []}
    domains = [{"name": domain, "isVerified": verified}]
    open_to_all = {"mayRegister": True, **(joined or {})}
    other = world.organization(id=world.org_id, projects=[], humans=[], loginPolicy=open_to_all)
    rules: dict[str, Any] = {"mayRegister": False, **policy}
    await world.apply(other, {**acme, "domains": domains, "loginPolicy": rules})
    return address


async def registered(world: Any, address: str, **members: Any) -> Any:
    sent = await world.register(address, **{"by_domain": True, **members})
    return await world.verify(sent.challenge, await world.newest_code(address))


async def test_account_belongs_to_the_organization_of_its_proven_address(users_world: Any) -> None:
    """Without any role; the organization need not let everyone register."""
    user = await registered(users_world, await acme(users_world, joinByDomain=True))
    [row] = await users_world.rows("users", _id=user.user_id)
    members = await users_world.rows("members", userId=user.user_id)

    assert user.org_id == f"acme-{users_world.tag}"
    assert (row.get("grants", []), row.get("groups", []), members) == ([], [], [])


@pytest.mark.parametrize(
    ("policy", "members"),
    [
        ({}, {}),
        ({"joinByDomain": False}, {}),
        ({"joinByDomain": True, "verified": False}, {}),
        ({"joinByDomain": True}, {"by_domain": False}),
    ],
    ids=["default", "off", "unverified domain", "organization requested"],
)
async def test_account_belongs_to_the_joined_organization_otherwise(
    users_world: Any, policy: dict[str, Any], members: dict[str, Any]
) -> None:
    user = await registered(users_world, await acme(users_world, **policy), **members)

    assert user.org_id == users_world.org_id


@pytest.mark.parametrize(
    ("joined", "home", "password", "expected"),
    [
        (["password"], ["password"], "a password for Eve", ("home", True)),
        (["password"], ["email_code"], "a password for Eve", ("home", False)),
        (["email_code"], ["password", "email_code"], "", ("home", False)),
        (["email_code"], ["password"], "", ("joined", False)),
        (["password"], ["passkey"], "a password for Eve", ("home", False)),
    ],
)
async def test_first_factors_of_both_organizations_count(
    users_world: Any, joined: list[str], home: list[str], password: str, expected: tuple[str, bool]
) -> None:
    """The joined one decides whether the form has a password, the home whether it is stored."""
    address = await acme(users_world, joinByDomain=True, firstFactors=home, joined={"firstFactors": joined})
    user = await registered(users_world, address, password=password)
    org_id = {"home": f"acme-{users_world.tag}", "joined": users_world.org_id}[expected[0]]

    assert (user.org_id, user.has_password) == (org_id, expected[1])


async def test_primary_domain_is_not_a_verified_one(users_world: Any) -> None:
    """An administrator chooses it without proving anything."""
    domain = f"chosen-{users_world.tag}.example"
    home = {"id": f"chosen-{users_world.tag}", "name": f"Chosen {users_world.tag}", "projects": [], "humans": []}
    await acme(users_world)
    await users_world.apply({**home, "primaryDomain": domain, "loginPolicy": {"joinByDomain": True}})

    assert (await registered(users_world, f"eve@{domain}")).org_id == users_world.org_id


async def test_rule_counts_when_the_address_is_proven(users_world: Any) -> None:
    """Entering the address joins no organization: the rule was turned off before the code was entered."""
    address = await acme(users_world, joinByDomain=True)
    sent = await users_world.register(address, by_domain=True)
    code = await users_world.newest_code(address)
    await acme(users_world, joinByDomain=False)

    assert (await users_world.verify(sent.challenge, code)).org_id == users_world.org_id


async def test_existing_account_is_not_moved(users_world: Any) -> None:
    address = await acme(users_world)
    before = await registered(users_world, address)
    await acme(users_world, joinByDomain=True)
    sent = await users_world.register(address, by_domain=True)
    rows = await users_world.rows("users", email=address)

    assert sent.challenge
    assert [(row["_id"], row["orgId"]) for row in rows] == [(before.user_id, users_world.org_id)]


async def test_policy_of_the_instance_knows_whether_any_redirects(users_world: Any) -> None:
    """Otherwise no domain of a hint is looked up at all."""

    async def redirects() -> tuple[bool, bool]:
        found = [await users_world.call(GET_LOGIN_POLICY, GetLoginPolicy(org_id=id)) for id in ("", org_id)]
        return found[0].redirects_somewhere, found[1].redirect_to_provider

    org_id = f"acme-{users_world.tag}"
    await users_world.parts.mongo.database["orgs"].update_many({}, {"$unset": {"loginRules.redirectToProvider": 1}})
    await acme(users_world)
    before = await redirects()
    await acme(users_world, redirectToProvider=True)

    assert before == (False, False)
    assert await redirects() == (True, True)
    await acme(users_world)
