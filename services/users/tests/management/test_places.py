"""Rules by network and country in the login policy (decision 0145): what is accepted, stored and shown."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

import pytest
from portico_contracts.authz import FIND_COUNTRY, CountryFound, FindCountry
from portico_contracts.users import (
    CHECK_EXEMPTION,
    GET_LOGIN_POLICY,
    CheckExemption,
    GetLoginPolicy,
    PlaceAction,
    PlaceRule,
    SignInFrom,
)
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

ORG: Final = "portico.management.v1.PolicyService"
IAM: Final = "portico.admin.v1.PolicyService"
ALLOW, FACTOR, REFUSE = (f"PLACE_ACTION_{word}" for word in ("ALLOW", "SECOND_FACTOR", "REFUSE"))
OFFICE: Final = {"action": ALLOW, "networks": ["203.0.113.0/24"]}


class Rules:
    def __init__(self, managed: Any) -> None:
        self.managed = managed

    async def set(
        self, *rules: dict[str, Any], elsewhere: str = REFUSE, by: str = "owner", **fields: Any
    ) -> ApiResponse:
        body = {"signInFrom": {"rules": list(rules), "elsewhere": elsewhere}, **fields}
        added = await call_as(self.managed, f"{ORG}.AddCustomLoginPolicy", body, by=by)
        if added.code != 6:
            return added
        return await call_as(self.managed, f"{ORG}.UpdateCustomLoginPolicy", body, by=by)

    async def shown(self) -> Any:
        return (await call_as(self.managed, f"{ORG}.GetLoginPolicy", {})).body["policy"].get("signInFrom")

    async def in_force(self) -> SignInFrom | None:
        policy = await self.managed.users.call(GET_LOGIN_POLICY, GetLoginPolicy(org_id=self.managed.org_id))
        found: SignInFrom | None = policy.sign_in_from
        return found


@pytest.fixture
async def rules(managed: Any) -> AsyncIterator[Rules]:
    yield Rules(managed)
    managed.api.http.headers.pop("X-Forwarded-For", None)
    await call_as(managed, f"{ORG}.ResetLoginPolicyToDefault", {})


async def test_rules_are_stored_shown_and_removed(rules: Rules) -> None:
    """Another change of the policy keeps them."""
    await rules.set(OFFICE, {"action": FACTOR, "networks": ["2001:db8::/32"]})
    shown, found = await rules.shown(), await rules.in_force()
    await call_as(rules.managed, f"{ORG}.UpdateCustomLoginPolicy", {"forceMfa": True})
    kept = await rules.in_force()
    body = {"forceMfa": True, "signInFrom": {"unrestricted": True}}
    await call_as(rules.managed, f"{ORG}.UpdateCustomLoginPolicy", body)

    assert shown["elsewhere"] == REFUSE
    assert [one["networks"] for one in shown["rules"]] == [["203.0.113.0/24"], ["2001:db8::/32"]]
    assert found == kept
    assert found == SignInFrom(
        rules=(
            PlaceRule(action=PlaceAction.ALLOW, networks=("203.0.113.0/24",)),
            PlaceRule(action=PlaceAction.SECOND_FACTOR, networks=("2001:db8::/32",)),
        ),
        elsewhere=PlaceAction.REFUSE,
    )
    assert await rules.in_force() is None


@pytest.mark.parametrize(
    ("rule", "error", "field"),
    [
        ({"action": REFUSE, "networks": ["0.0.0.0/0"]}, "USER-199", "networks[0]"),
        ({"action": REFUSE, "networks": ["::/0"]}, "USER-199", "networks[0]"),
        ({"action": ALLOW, "networks": ["203.0.113.9/24"]}, "USER-199", "networks[0]"),
        ({"action": ALLOW, "networks": ["10.0.0.0/8", "office"]}, "USER-199", "networks[1]"),
        ({"action": ALLOW, "networks": ["2001:db8::1/128"]}, "USER-199", "networks[0]"),
        ({"action": ALLOW, "countries": ["de"]}, "USER-185", "countries[0]"),
        ({"action": ALLOW, "countries": ["DE", "DE"]}, "USER-185", "countries[1]"),
        ({"action": ALLOW}, "USER-186", ""),
        ({"networks": ["10.0.0.0/8"]}, "USER-187", "action"),
    ],
)
async def test_impossible_rule_is_refused_at_its_field(
    rules: Rules, rule: dict[str, Any], error: str, field: str
) -> None:
    refused = await rules.set(rule)

    assert (refused.code, refused.error_code) == (3, error)
    assert refused.fields == [f"signInFrom.rules[0]{'.' if field else ''}{field}"]
    assert await rules.shown() is None


async def test_countries_need_a_database(rules: Rules) -> None:
    """Authz has it, and is asked only where rules name countries."""
    configured = False

    async def find(_ask: FindCountry) -> CountryFound:
        return CountryFound(is_configured=configured)

    rules.managed.users.bus.respond(FIND_COUNTRY, find)
    refused = await rules.set({"action": ALLOW, "countries": ["DE"]})
    configured = True
    accepted = await rules.set({"action": ALLOW, "countries": ["DE"]})

    assert (refused.code, refused.error_code, refused.fields) == (9, "USER-188", ["signInFrom"])
    assert accepted.code == 0


async def test_own_address_is_not_locked_out(rules: Rules) -> None:
    """The error names it; administrators in the office, and exempt owners, may set the rule."""
    headers = rules.managed.api.http.headers
    headers["X-Forwarded-For"] = "192.0.2.1"
    refused = await rules.set(OFFICE)
    not_exempt = await rules.set(OFFICE, by="owner", exemptInstanceOwners=True)
    exempt = await rules.set(OFFICE, by="iam", exemptInstanceOwners=True)
    headers["X-Forwarded-For"] = "192.0.2.1, 203.0.113.9"
    here = await rules.set(OFFICE, {"action": REFUSE, "networks": ["192.0.2.0/24"]}, elsewhere=FACTOR)

    assert (refused.code, refused.error_code, refused.fields) == (9, "USER-189", ["signInFrom"])
    assert "192.0.2.1 (elsewhere)" in refused.body["message"]
    assert [one.code for one in (not_exempt, exempt, here)] == [9, 0, 0]


async def test_own_address_is_compared_before_anything_is_saved(rules: Rules) -> None:
    """Only what trusted proxies add counts; rules that could not be saved are refused here too."""
    headers = rules.managed.api.http.headers

    async def asked(*wanted: dict[str, Any], elsewhere: str = REFUSE, by: str = "owner") -> ApiResponse:
        body = {"signInFrom": {"rules": list(wanted), "elsewhere": elsewhere}}
        return await call_as(rules.managed, f"{ORG}.CountAffectedUsers", body, by=by)

    unknown = await asked(OFFICE)
    headers["X-Forwarded-For"] = "203.0.113.9, 192.0.2.1"
    found = [await asked(OFFICE), await asked({"action": FACTOR, "networks": ["192.0.2.0/24"]})]
    impossible = await asked({"action": ALLOW, "networks": ["office"]})
    without = await call_as(rules.managed, f"{ORG}.CountAffectedUsers", {})

    assert [one.body["callerPlace"] for one in found] == [
        {"address": "192.0.2.1", "action": REFUSE, "rule": "elsewhere"},
        {"address": "192.0.2.1", "action": FACTOR, "rule": "192.0.2.0/24"},
    ]
    assert "callerPlace" not in unknown.body | without.body
    assert (impossible.code, impossible.error_code) == (3, "USER-199")
    assert impossible.fields == ["signInFrom.rules[0].networks[0]"]
    assert await rules.shown() is None


async def test_only_exempt_owners_are_exempt(rules: Rules) -> None:
    """Where the switch is on; a sign-in is an event that names the rule, a use of the session is none."""
    managed, pat = rules.managed, f"pat-{rules.managed.tag}"
    await managed.add(managed.new_human("pat"))
    ask = CheckExemption(user_id=pat, rule="elsewhere", is_sign_in=True)
    await rules.set(OFFICE, exemptInstanceOwners=True)
    of_user = await managed.users.call(CHECK_EXEMPTION, ask)
    await call_as(
        managed, "portico.admin.v1.MemberService.AddIAMMember", {"userId": pat, "roles": ["IAM_OWNER"]}, by="iam"
    )
    of_owner = await managed.users.call(CHECK_EXEMPTION, ask)
    await managed.users.call(CHECK_EXEMPTION, CheckExemption(user_id=pat))
    events = await managed.users.rows("events", **{"values.userId": pat, "action": "rule_exempted"})
    await rules.set(OFFICE, exemptInstanceOwners=False)
    switched_off = await managed.users.call(CHECK_EXEMPTION, ask)
    await call_as(managed, "portico.admin.v1.MemberService.RemoveIAMMember", {"userId": pat}, by="iam")

    assert [one.exempt for one in (of_user, of_owner, switched_off)] == [False, True, False]
    assert [one["values"]["rule"] for one in events] == ["elsewhere"]
