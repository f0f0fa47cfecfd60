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
    document = msgspec.convert({"organizations": [], **members}, Document)
    return await world.call(APPLY, Apply(document=document))  # type: ignore[no-any-return]


async def policy(world: Any, org_id: str) -> LoginPolicy:
    found: LoginPolicy = await world.call(GET_LOGIN_POLICY, GetLoginPolicy(org_id=org_id))
    return msgspec.structs.replace(found, branding=None, organization="")


async def test_default_login_policy(users_world: Any) -> None:
    """By default users may register and need no verified address to sign in."""
    await users_world.home(loginPolicy=None)

    assert await policy(users_world, users_world.org_id) == LoginPolicy(
        may_register=True, verified_mail=False, may_reset=True, enrolment=EnrolmentDemand.EMAIL
    )


async def test_organization_overrides_instance_by_field(users_world: Any) -> None:
    """Omitted fields are inherited from the instance; a policy in a document sets all of its fields."""
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


@pytest.mark.parametrize(
    ("instance", "organization", "allowed"),
    [(True, None, True), (True, True, True), (True, False, False), (False, True, False), (None, True, False)],
)
async def test_organization_may_only_forbid_devices(
    users_world: Any, instance: bool | None, organization: bool | None, allowed: bool
) -> None:
    """Device authorization is off until the instance allows it."""
    word = "allowDeviceAuthorization"
    await users_world.home(loginPolicy={} if organization is None else {word: organization})
    await apply(users_world, loginPolicy={} if instance is None else {word: instance})

    assert (await policy(users_world, users_world.org_id)).device_authorization is allowed
    assert (await policy(users_world, "")).device_authorization is bool(instance)


async def test_days_of_trusted_devices_are_inherited(users_world: Any) -> None:
    """Off by default; an organization may have fewer days, more or none."""
    word = "trustedDeviceDays"
    assert (await policy(users_world, "")).trusted_device_days == 0
    await users_world.home(loginPolicy={})
    await apply(users_world, loginPolicy={word: 30})
    assert (await policy(users_world, users_world.org_id)).trusted_device_days == 30

    await users_world.home(loginPolicy={word: 0})
    assert (await policy(users_world, users_world.org_id)).trusted_device_days == 0
    await apply(users_world, loginPolicy={})


@pytest.mark.parametrize(
    ("instance", "organization", "allowed"),
    [(None, None, False), (True, None, True), (True, False, False), (False, True, True)],
)
async def test_organization_decides_on_emailed_codes(
    users_world: Any, instance: bool | None, organization: bool | None, allowed: bool
) -> None:
    """Off by default, and inherited from the instance."""
    word = "allowEmailCodeSignIn"
    await users_world.home(loginPolicy={} if organization is None else {word: organization})
    await apply(users_world, loginPolicy={} if instance is None else {word: instance})

    assert (await policy(users_world, users_world.org_id)).email_code_sign_in is allowed


async def test_policy_lists_offered_providers(users_world: Any) -> None:
    """Active providers are listed in the order of the policy; the instance's policy lists only those of the
    instance (IP-06).
    """
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


async def test_organization_hides_password_reset(users_world: Any) -> None:
    """The organization's setting takes precedence over the instance's; without email there is no registration at
    all.
    """
    await users_world.home(loginPolicy={"hidePasswordReset": True})
    of_org, of_all = await policy(users_world, users_world.org_id), await policy(users_world, "")
    await users_world.home(loginPolicy={"hidePasswordReset": False})
    await apply(users_world, loginPolicy={"hidePasswordReset": True})

    assert (of_org.may_reset, of_all.may_reset) == (False, True)
    assert (await policy(users_world, users_world.org_id)).may_reset
    assert not (await policy(users_world, "")).may_reset


async def test_password_rules_are_inherited(users_world: Any) -> None:
    """The organization's rules apply, else the instance's, else the global ones; without an organization, those
    of the default one.
    """
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


async def test_password_age_is_inherited(users_world: Any) -> None:
    """The user's organization sets the maximum age, else the instance, else there is none; an organization can
    also set none.
    """
    await users_world.home()
    nothing = await policy(users_world, users_world.org_id)
    await apply(users_world, passwordAgePolicy={"maxAgeDays": 90})
    of_instance = await policy(users_world, users_world.org_id)
    await users_world.home(passwordAgePolicy={"maxAgeDays": 0})

    assert (nothing.password_max_age_days, of_instance.password_max_age_days) == (0, 90)
    assert (await policy(users_world, users_world.org_id)).password_max_age_days == 0
    assert (await policy(users_world, "")).password_max_age_days == 90


async def test_omitted_policy_is_unchanged(users_world: Any) -> None:
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


async def test_policy_change_has_an_event(users_world: Any) -> None:
    """The event names the changed fields, so that authz drops its cache."""
    await users_world.home(loginPolicy={})
    await users_world.home(loginPolicy={"mayRegister": False})
    await apply(users_world, loginPolicy={"verifiedMail": True})
    events = await users_world.rows("events", object=users_world.org_id)
    [instance] = await users_world.rows("outbox", object="instance")

    assert [event["fields"] for event in events][-1] == ["loginRules"]
    assert instance["subject"].endswith(".instance.changed")


@pytest.mark.parametrize("org_id", ["nobody", "x" * 300, "instance"])
async def test_policy_of_unknown_organization_is_refused(users_world: Any, org_id: str) -> None:
    """The error is `absent`, so that authz uses the strictest policy."""
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


async def test_domain_lookup_ignores_case(users_world: Any) -> None:
    """An unknown domain, and one that is too long, belongs to no organization."""
    await users_world.home(primaryDomain=f"{users_world.tag}.example")
    asked = [f"{users_world.tag.upper()}.Example", f"x{users_world.tag}.example", "", "x" * 100_000]
    found = [(await users_world.call(FIND_ORGANIZATION, FindOrganization(domain=domain))).org_id for domain in asked]

    assert found == [users_world.org_id, "", "", ""]


async def test_default_organization_applies_without_id(users_world: Any) -> None:
    """Without an organization id, the default organization decides whether users may register."""
    await users_world.home(loginPolicy={"mayRegister": False})
    await apply(users_world, defaultOrganization=f"ACME {users_world.tag}")
    closed = await policy(users_world, "")
    await users_world.home(loginPolicy={"mayRegister": True})

    assert not closed.may_register
    assert (await policy(users_world, "")).may_register


async def test_default_organization_of_the_same_document(users_world: Any) -> None:
    """The default organization can be named by its name in the same document."""
    org = {"id": users_world.org_id, "name": f"New {users_world.tag}"}
    await apply(users_world, organizations=[org], defaultOrganization=f"New {users_world.tag}")

    assert (await users_world.rows("instances"))[0]["defaultOrgId"] == users_world.org_id


async def test_unknown_default_organization_is_refused(users_world: Any) -> None:
    """The error names its path, and nothing is written."""
    with pytest.raises(ServiceError, match="defaultOrganization") as refused:
        await apply(users_world, defaultOrganization=f"nobody-{users_world.tag}")

    assert refused.value.id == "USER-061"
    assert await users_world.rows("instances") == []


async def test_id_of_the_instance_is_reserved(users_world: Any) -> None:
    """No other object can use the id of the instance, which has its own settings and history."""
    with pytest.raises(ServiceError) as refused:
        await users_world.apply({"id": "instance", "name": f"Instance {users_world.tag}"})

    assert refused.value.id == "USER-001"
