"""What an organization demands at sign-in, and whose a domain is."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from portico_contracts.apply import Document
from portico_contracts.users import (
    APPLY,
    FIND_ORGANIZATION,
    GET_LOGIN_POLICY,
    Applied,
    Apply,
    EnrolmentDemand,
    FindOrganization,
    GetLoginPolicy,
    LoginPolicy,
    PasswordRules,
)
from portico_oauth.errors import Kind, ServiceError

pytestmark = [pytest.mark.servers, pytest.mark.usefixtures("fresh_instance")]


async def apply(world: Any, **members: Any) -> Applied:
    """Applies a document about the instance."""
    document = msgspec.convert({"organizations": [], **members}, Document)
    return await world.call(APPLY, Apply(document=document))  # type: ignore[no-any-return]


async def policy(world: Any, org_id: str) -> LoginPolicy:
    """The policy in force, but for the branding, which has tests of its own."""
    found: LoginPolicy = await world.call(GET_LOGIN_POLICY, GetLoginPolicy(org_id=org_id))
    return msgspec.structs.replace(found, branding=None)


async def test_policy_that_was_never_set(users_world: Any) -> None:
    """People may register, and need no proven address to sign in."""
    await users_world.home(loginPolicy=None)

    assert await policy(users_world, users_world.org_id) == LoginPolicy(
        may_register=True, verified_mail=False, may_reset=True, enrolment=EnrolmentDemand.EMAIL
    )


async def test_organization_overrules_the_instance_field_by_field(users_world: Any) -> None:
    """What its policy leaves out is the instance's; naming a policy sets all of it."""
    await users_world.home(loginPolicy={"verifiedMail": False})
    await apply(users_world, loginPolicy={"mayRegister": False, "verifiedMail": True})
    first = await policy(users_world, users_world.org_id)
    await users_world.home(loginPolicy={})

    assert first == LoginPolicy(
        may_register=False, verified_mail=False, may_reset=True, enrolment=EnrolmentDemand.EMAIL
    )
    assert await policy(users_world, users_world.org_id) == LoginPolicy(
        may_register=False, verified_mail=True, may_reset=True, enrolment=EnrolmentDemand.EMAIL
    )
    assert (await policy(users_world, "")).verified_mail


async def test_the_policy_lists_the_providers_that_are_offered(users_world: Any) -> None:
    """Active ones in the order of the policy; the instance's policy lists those of the instance alone (IP-06)."""
    tag = users_world.tag

    def idp(name: str, **members: Any) -> dict[str, Any]:
        shared = {"id": f"{name}-{tag}", "name": name, "issuer": "https://portal.example"}
        jwt = {"jwtEndpoint": "https://portal.example/login", "keysEndpoint": "https://portal.example/keys"}
        return {**shared, **jwt, **members}

    idps = [idp("one"), idp("two"), idp("off", state="inactive"), idp("unlisted")]
    listed = {"idps": [f"{name}-{tag}" for name in ("two", "off", "one")]}
    await users_world.home(jwtIdps=idps, loginPolicy=listed)
    found = (await policy(users_world, users_world.org_id)).providers

    assert [(one.id, one.name, one.kind.value, one.styling) for one in found] == [
        (f"two-{tag}", "two", "jwt", "generic"),
        (f"one-{tag}", "one", "jwt", "generic"),
    ]
    assert (await policy(users_world, "")).providers == ()
    await users_world.home(jwtIdps=idps, loginPolicy={**listed, "allowExternalIdp": False})
    assert (await policy(users_world, users_world.org_id)).providers == ()


async def test_an_organization_hides_the_way_to_another_password(users_world: Any) -> None:
    """Its own setting counts, then the instance's; and without email there is no registration at all."""
    await users_world.home(loginPolicy={"hidePasswordReset": True})
    of_org, of_all = await policy(users_world, users_world.org_id), await policy(users_world, "")
    await users_world.home(loginPolicy={"hidePasswordReset": False})
    await apply(users_world, loginPolicy={"hidePasswordReset": True})

    assert (of_org.may_reset, of_all.may_reset) == (False, True)
    assert (await policy(users_world, users_world.org_id)).may_reset
    assert not (await policy(users_world, "")).may_reset


async def test_passwords_are_checked_by_the_policy_in_force(users_world: Any) -> None:
    """The organization's rules, else the instance's, else what holds for all; of none, the default organization's."""
    await users_world.home()
    nothing = (await policy(users_world, users_world.org_id)).password_rules
    await apply(users_world, passwordPolicy={"minLength": 10, "hasNumber": True, "hasUppercase": True})
    of_instance = (await policy(users_world, users_world.org_id)).password_rules
    await users_world.home(passwordPolicy={"minLength": 12, "hasSymbol": True, "hasLowercase": True})
    await apply(users_world, defaultOrganization=users_world.org_id)

    assert nothing == PasswordRules()
    assert of_instance == PasswordRules(min_length=10, number=True, uppercase=True)
    for org_id in (users_world.org_id, ""):
        rules = (await policy(users_world, org_id)).password_rules
        assert rules == PasswordRules(min_length=12, symbol=True, lowercase=True)


async def test_how_old_a_password_may_get_is_set_by_the_users_organization(users_world: Any) -> None:
    """Its own word, else the instance's, else never; also that it may get as old as it likes."""
    await users_world.home()
    nothing = await policy(users_world, users_world.org_id)
    await apply(users_world, passwordAgePolicy={"maxAgeDays": 90})
    of_instance = await policy(users_world, users_world.org_id)
    await users_world.home(passwordAgePolicy={"maxAgeDays": 0})

    assert (nothing.password_max_age_days, of_instance.password_max_age_days) == (0, 90)
    assert (await policy(users_world, users_world.org_id)).password_max_age_days == 0
    assert (await policy(users_world, "")).password_max_age_days == 90


async def test_policy_left_out_stays(users_world: Any) -> None:
    """A document without a policy changes none, and applying one again changes nothing."""
    await users_world.home(loginPolicy={"mayRegister": False})
    first = await apply(users_world, loginPolicy={"verifiedMail": True})
    again = await apply(users_world, loginPolicy={"verifiedMail": True})
    await users_world.apply(users_world.organization(id=users_world.org_id, projects=[], humans=[]))

    assert [(change.kind, change.id, change.action) for change in first.changes] == [
        ("instance", "instance", "created")
    ]
    assert first.changes[0].fields == ()
    assert again.changes[0].action == "unchanged"
    assert not (await policy(users_world, users_world.org_id)).may_register


async def test_policy_changes_with_an_event(users_world: Any) -> None:
    """The event names what changed, so that authz forgets what it remembers."""
    await users_world.home(loginPolicy={})
    await users_world.home(loginPolicy={"mayRegister": False})
    await apply(users_world, loginPolicy={"verifiedMail": True})
    events = await users_world.rows("events", object=users_world.org_id)
    [instance] = await users_world.rows("outbox", object="instance")

    assert [event["fields"] for event in events][-1] == ["loginRules"]
    assert instance["subject"].endswith(".instance.changed")


@pytest.mark.parametrize("org_id", ["nobody", "x" * 300, "instance"])
async def test_policy_of_no_organization_is_refused(users_world: Any, org_id: str) -> None:
    """Absent, so that authz takes the strictest."""
    with pytest.raises(ServiceError) as refused:
        await policy(users_world, org_id)

    assert (refused.value.kind, refused.value.id) == (Kind.NOT_FOUND, "USER-060")


async def test_inactive_organization_looks_unknown(users_world: Any) -> None:
    """Neither its policy nor its domain reveals that it exists."""
    await users_world.home(primaryDomain=f"{users_world.tag}.example")
    orgs = users_world.parts.mongo.database["orgs"]
    await orgs.update_one({"_id": users_world.org_id}, {"$set": {"state": "inactive"}})
    with pytest.raises(ServiceError) as refused:
        await policy(users_world, users_world.org_id)
    found = await users_world.call(FIND_ORGANIZATION, FindOrganization(domain=f"{users_world.tag}.example"))

    assert refused.value.kind is Kind.NOT_FOUND
    assert found.org_id == ""


async def test_domain_is_found_in_any_case(users_world: Any) -> None:
    """Login names are typed in any case; another domain, and one that is too long, belongs to no organization."""
    await users_world.home(primaryDomain=f"{users_world.tag}.example")
    asked = [f"{users_world.tag.upper()}.Example", f"x{users_world.tag}.example", "", "x" * 100_000]
    found = [(await users_world.call(FIND_ORGANIZATION, FindOrganization(domain=domain))).org_id for domain in asked]

    assert found == [users_world.org_id, "", "", ""]


async def test_default_organization_decides_where_a_request_names_none(users_world: Any) -> None:
    """Without an id, the organization they would join decides who may register."""
    await users_world.home(loginPolicy={"mayRegister": False})
    await apply(users_world, defaultOrganization=f"ACME {users_world.tag}")
    closed = await policy(users_world, "")
    await users_world.home(loginPolicy={"mayRegister": True})

    assert not closed.may_register
    assert (await policy(users_world, "")).may_register


async def test_default_organization_can_be_one_of_the_same_document(users_world: Any) -> None:
    """Named by the name it gets there."""
    org = {"id": users_world.org_id, "name": f"New {users_world.tag}"}
    await apply(users_world, organizations=[org], defaultOrganization=f"New {users_world.tag}")

    assert (await users_world.rows("instances"))[0]["defaultOrgId"] == users_world.org_id


async def test_unknown_default_organization_is_refused(users_world: Any) -> None:
    """With its place, and nothing is written."""
    with pytest.raises(ServiceError, match="defaultOrganization") as refused:
        await apply(users_world, defaultOrganization=f"nobody-{users_world.tag}")

    assert refused.value.id == "USER-061"
    assert await users_world.rows("instances") == []


async def test_nothing_else_takes_the_id_of_the_instance(users_world: Any) -> None:
    """It has settings and a history of its own."""
    with pytest.raises(ServiceError) as refused:
        await users_world.apply({"id": "instance", "name": f"Instance {users_world.tag}"})

    assert refused.value.id == "USER-001"
