from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.console_service import ISSUER, ConsoleService, refusal

POLICIES = "portico.management.v1.PolicyService"
PAGE = "/ui/console/orgs/o1/rules/login"
PERMISSIONS = ("policy.read", "policy.write", "policy.effect.read", "org.idp.read", "org.idp.write")
CHANGED = {"details": {"sequence": "8"}}
LOGIN: dict[str, Any] = {
    "details": {"sequence": "7"},
    "allowRegister": True,
    "allowExternalIdp": True,
    "idps": [{"idpId": "i1", "idpName": "Google"}],
    "secondFactors": ["SECOND_FACTOR_TYPE_U2F", "SECOND_FACTOR_TYPE_OTP"],
    "multiFactors": ["MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION"],
    "enrolment": "ENROLMENT_TYPE_EMAIL",
    "isDefault": True,
}
UNTOUCHED = {
    "section": "login",
    "sequence": "7",
    "allowRegister": "on",
    "hidePasswordReset": "on",
    "allowExternalIdp": "on",
    "factor-passkey": "on",
    "factor-key": "on",
    "factor-app": "on",
    "idp-i1": "on",
    "enrolment": "ENROLMENT_TYPE_EMAIL",
    "trustedDeviceDays": "0",
}


class Rules:
    """The page of an organization whose policies are the instance's."""

    def __init__(self, console: ConsoleService, browser: httpx.AsyncClient) -> None:
        self.console, self.browser = console, browser
        self.called: list[tuple[str, dict[str, Any], str]] = []

    async def open(self) -> httpx.Response:
        return await self.browser.get(PAGE)

    async def send(self, **fields: str | None) -> httpx.Response:
        page = await self.open()
        csrf = page.text.split('name="csrf" value="')[1].split('"')[0]
        form = {name: value for name, value in (UNTOUCHED | fields).items() if value is not None}
        return await self.browser.post(PAGE, data=form | {"csrf": csrf}, headers={"Origin": ISSUER})

    def answer(self, method: str, body: dict[str, Any]) -> None:
        self.console.provider.answers[method] = lambda _fields, _request: httpx.Response(200, json=body)

    def record(self, name: str, response: Callable[[], httpx.Response] | None = None) -> None:
        def answer(fields: dict[str, Any], request: httpx.Request) -> httpx.Response:
            self.called.append((name, fields, request.headers.get("if-match", "")))
            return response() if response else httpx.Response(200, json=CHANGED)

        self.console.provider.answers[f"{POLICIES}/{name}"] = answer


@pytest.fixture
async def rules(console: ConsoleService, browser: httpx.AsyncClient) -> Rules:
    found = Rules(console, browser)
    held = [{"permission": name, "roles": ["ORG_OWNER"]} for name in PERMISSIONS]
    found.answer(
        "portico.management.v1.CallerService/ListMyPermissions",
        {"org": {"id": "o1", "name": "Acme"}, "permissions": held},
    )
    found.answer(f"{POLICIES}/GetLoginPolicy", {"policy": LOGIN})
    found.answer(f"{POLICIES}/GetPasswordComplexityPolicy", {"policy": {"minLength": "8", "isDefault": True}})
    found.answer(f"{POLICIES}/GetPasswordAgePolicy", {"policy": {"details": {"sequence": "7"}, "isDefault": True}})
    found.answer(f"{POLICIES}/GetLockoutPolicy", {"policy": {"maxPasswordAttempts": "5"}})
    found.answer(
        "portico.management.v1.IDPService/ListProviders",
        {"result": [{"id": "i1", "name": "Google"}, {"id": "i2", "name": "Work"}]},
    )
    found.answer(f"{POLICIES}/CountAffectedUsers", {"counted": "20"})
    for name in ("AddCustomLoginPolicy", "UpdateCustomLoginPolicy", "AddSecondFactorToLoginPolicy",
                 "RemoveSecondFactorFromLoginPolicy", "RemoveMultiFactorFromLoginPolicy", "AddIDPToLoginPolicy",
                 "RemoveIDPFromLoginPolicy", "AddCustomPasswordAgePolicy", "UpdateCustomLockoutPolicy"):  # fmt: skip
        found.record(name)
    await console.sign_in(browser, "/ui/console")
    return found


async def test_page_shows_what_is_inherited_and_what_is_overridden(rules: Rules) -> None:
    """Each card names its state; only an overridden one can be reset."""
    page = (await rules.open()).text

    assert 'id="login-badge">Inherited<' in page
    assert 'id="lockout-badge">Overridden<' in page
    assert 'id="lockout-reset"' in page
    assert 'id="login-reset"' not in page
    assert 'name="idp-i1" checked' in page
    assert 'id="factor-email" name="factor-email">' in page


async def test_any_of_many_providers_can_be_offered(rules: Rules) -> None:
    providers = [{"id": f"i{number}", "name": f"Branch {number}"} for number in range(1, 301)]

    def listed(fields: dict[str, Any], _request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"result": providers[: fields["query"]["limit"]]})

    rules.console.provider.answers["portico.management.v1.IDPService/ListProviders"] = listed
    page = (await rules.open()).text
    saved = await rules.send(**{"idp-i300": "on"})

    assert page.count('name="idp-i') == 300
    assert saved.status_code == 303
    assert ("AddIDPToLoginPolicy", {"idpId": "i300"}) in [(name, fields) for name, fields, _ in rules.called]


async def test_harmless_change_is_saved_at_once(rules: Rules) -> None:
    """Only what differs is sent; the first change of an organization overrides the instance's rules."""
    saved = await rules.send(allowRegister=None)

    assert saved.status_code == 303
    ((name, fields, version),) = rules.called
    assert (name, version) == ("AddCustomLoginPolicy", '"7"')
    assert fields == {
        "verifiedEmailRequired": False,
        "forceMfa": False,
        "hidePasswordReset": False,
        "allowExternalIdp": True,
        "enrolment": "ENROLMENT_TYPE_EMAIL",
        "allowDeviceAuthorization": False,
        "allowEmailCodeSignIn": False,
        "allowAccountDeletion": False,
        "trustedDeviceDays": 0,
        "exemptInstanceOwners": False,
        "redirectToProvider": False,
        "joinByDomain": False,
        "firstFactors": {"unrestricted": True},
        "allowRegister": False,
    }


async def test_unchanged_form_overrides_nothing(rules: Rules) -> None:
    saved = await rules.send()

    assert saved.status_code == 303
    assert rules.called == []


async def test_affected_people_are_shown_before_a_factor_is_required(rules: Rules) -> None:
    """Nothing is sent before the summary was confirmed."""
    rules.answer(
        f"{POLICIES}/CountAffectedUsers", {"counted": "20", "withoutFactor": "12", "withoutFactorOrVerifiedEmail": "1"}
    )
    summary = await rules.send(forceMfa="on")
    before = list(rules.called)
    saved = await rules.send(forceMfa="on", confirmed="1")

    assert "12 users have no second factor and must register one at the next sign-in." in summary.text
    assert "One of them has no verified email address" in summary.text
    assert 'name="forceMfa" value="on"' in summary.text
    assert before == []
    assert saved.status_code == 303
    assert [(name, fields["forceMfa"]) for name, fields, _ in rules.called] == [("AddCustomLoginPolicy", True)]


async def test_change_that_affects_no_user_is_saved_at_once(rules: Rules) -> None:
    saved = await rules.send(forceMfa="on")

    assert saved.status_code == 303
    assert [name for name, *_ in rules.called] == ["AddCustomLoginPolicy"]


async def test_large_organization_is_counted_in_part(rules: Rules) -> None:
    rules.answer(f"{POLICIES}/CountAffectedUsers", {"counted": "10000", "withoutFactor": "9000"})
    summary = await rules.send(forceMfa="on")

    assert 'id="partial"' in summary.text


async def test_removed_provider_shows_who_signs_in_with_it(rules: Rules) -> None:
    rules.answer("portico.management.v1.IDPService/GetProviderUsage", {"linkedUsers": "3", "onlyWayIn": "2"})
    summary = await rules.send(**{"idp-i1": None, "idp-i2": "on"})

    assert "3 users sign in with Google, and can no longer do so." in summary.text
    assert "2 users have no other way to sign in than Google." in summary.text


async def test_chosen_providers_replace_the_inherited_ones(rules: Rules) -> None:
    """The API removes an inherited provider by the first one that the organization offers itself."""
    rules.answer("portico.management.v1.IDPService/GetProviderUsage", {})
    missing = refusal("not_found", 404, "USER-318", "Identity provider not found.")
    rules.record("RemoveIDPFromLoginPolicy", lambda: missing({}, httpx.Request("POST", ISSUER)))
    saved = await rules.send(**{"idp-i1": None, "idp-i2": "on"})
    none_left = await rules.send(**{"idp-i1": None})

    assert saved.status_code == 303
    assert [(name, fields["idpId"]) for name, fields, _ in rules.called[:2]] == [
        ("RemoveIDPFromLoginPolicy", "i1"),
        ("AddIDPToLoginPolicy", "i2"),
    ]
    assert "The instance offers these identity providers." in none_left.text


async def test_factors_are_added_before_one_is_required_and_removed_after(rules: Rules) -> None:
    """A required second factor stays possible after each call, and each has the version of the one before."""
    await rules.send(**{"forceMfa": "on", "factor-email": "on", "factor-passkey": None, "confirmed": "1"})

    assert [(name, version) for name, _, version in rules.called] == [
        ("AddSecondFactorToLoginPolicy", '"7"'),
        ("AddCustomLoginPolicy", '"8"'),
        ("RemoveMultiFactorFromLoginPolicy", '"8"'),
    ]


async def test_required_factor_without_a_factor_is_refused_at_the_list(rules: Rules) -> None:
    none: dict[str, str | None] = {"factor-passkey": None, "factor-key": None, "factor-app": None}
    refused = await rules.send(**none, forceMfa="on")

    assert refused.status_code == 400
    assert 'aria-describedby="factors-problem"' in refused.text
    assert 'id="forceMfa" name="forceMfa" checked' in refused.text
    assert rules.called == []


@pytest.mark.parametrize("days", ["", "-1", "x", "36501"])
async def test_number_out_of_range_is_refused_at_its_field(rules: Rules, days: str) -> None:
    refused = await rules.send(section="password-age", maxAgeDays=days, expireWarnDays="0")

    assert refused.status_code == 400
    assert "Enter a number from 0 to 36500." in refused.text


async def test_older_passwords_are_counted_before_they_expire(rules: Rules) -> None:
    rules.answer(f"{POLICIES}/CountAffectedUsers", {"counted": "20", "expiredPasswords": "1"})
    summary = await rules.send(section="password-age", maxAgeDays="90", expireWarnDays="0")
    await rules.send(section="password-age", maxAgeDays="90", expireWarnDays="0", confirmed="1")

    assert "The password of one user is older" in summary.text
    assert [(name, fields) for name, fields, _ in rules.called] == [
        ("AddCustomPasswordAgePolicy", {"maxAgeDays": 90, "expireWarnDays": 0})
    ]


async def test_concurrent_change_keeps_what_was_chosen(rules: Rules) -> None:
    """The other change stays, and the form is shown again with its values."""
    conflict = refusal("failed_precondition", 400, "USER-104", "It was changed meanwhile.")
    rules.record("AddCustomLoginPolicy", lambda: conflict({}, httpx.Request("POST", ISSUER)))
    refused = await rules.send(allowRegister=None)

    assert refused.status_code == 400
    assert 'id="login-error">' in refused.text
    assert 'name="allowRegister">' in refused.text


@pytest.mark.parametrize("sent", [{"edit": "1"}, {"trustedDeviceDays": "x"}, {"allowRegister": None}])
async def test_form_keeps_its_version(rules: Rules, sent: dict[str, str | None]) -> None:
    """The form is older than the stored rules, and shown again by "Keep editing", an error or a refusal."""
    conflict = refusal("failed_precondition", 400, "USER-104", "It was changed meanwhile.")
    rules.record("AddCustomLoginPolicy", lambda: conflict({}, httpx.Request("POST", ISSUER)))
    shown = await rules.send(**sent, sequence="6")

    assert re.findall(
        r'value="(login|password-age)"><input type="hidden" name="sequence" value="(\d)"', shown.text
    ) == [
        ("login", "6"),
        ("password-age", "7"),
    ]


async def test_rules_are_saved_after_a_step_up(console: ConsoleService, rules: Rules, clock: FrozenClock) -> None:
    """Nothing is saved before the proof, and after it what was chosen is, with the version of the form, once."""
    page = await rules.open()
    csrf = page.text.split('name="csrf" value="')[1].split('"')[0]
    clock.tick(301)
    form = {name: value for name, value in UNTOUCHED.items() if name != "allowRegister"}
    form |= {"csrf": csrf, "sequence": "6"}
    kept = await rules.browser.post(PAGE, data=form, headers={"Origin": ISSUER})
    before = [*rules.called]
    back = await rules.browser.get(console.provider.authorize(kept.headers["location"]))
    saved = await rules.browser.get(back.headers["location"])
    reloaded = await rules.browser.get(back.headers["location"])
    page = await rules.browser.get(saved.headers["location"])

    assert parse_qs(urlsplit(kept.headers["location"]).query)["max_age"] == ["0"]
    assert before == []
    assert [(method, version) for method, _fields, version in rules.called] == [("AddCustomLoginPolicy", '"6"')]
    assert "were saved" in page.text
    assert reloaded.status_code == 200


async def test_viewer_sees_the_rules_without_a_way_to_change_them(rules: Rules) -> None:
    held = [{"permission": "policy.read", "roles": ["ORG_OWNER_VIEWER"]}]
    rules.answer(
        "portico.management.v1.CallerService/ListMyPermissions",
        {"org": {"id": "o1", "name": "Acme"}, "permissions": held},
    )
    page = (await rules.open()).text

    assert 'id="read-only"' in page
    assert "save-login" not in page
