"""The card "Sign-in" limits how a sign-in may start, and shows who could no longer sign in (decision 0143)."""

from __future__ import annotations

from typing import Any

import httpx
from portico_fakes.console_service import ConsoleService

from .test_sign_in_rules import LOGIN, POLICIES, Rules, rules

__all__ = ["rules"]

PASSKEY, PROVIDER = "FIRST_FACTOR_TYPE_PASSKEY", "FIRST_FACTOR_TYPE_PROVIDER"
ONLY_PASSKEYS = {"limitFirstFactors": "on", "first-passkey": "on"}


def calls(rules: Rules, name: str) -> list[dict[str, Any]]:
    return [fields for called, fields, _ in rules.called if called == name]


async def test_rule_is_shown(rules: Rules) -> None:
    rules.answer(f"{POLICIES}/GetLoginPolicy", {"policy": {**LOGIN, "firstFactors": {"types": [PASSKEY]}}})
    page = (await rules.open()).text

    assert 'name="limitFirstFactors" checked' in page
    assert 'name="first-passkey" checked' in page
    assert 'name="first-password">' in page


async def test_locked_out_users_and_the_administrator_are_shown_before_saving(rules: Rules) -> None:
    """Nothing is saved until they are confirmed."""
    asked: list[dict[str, Any]] = []
    rules.record("CountAffectedUsers")
    rules.answer(
        f"{POLICIES}/CountAffectedUsers", {"counted": "20", "withoutFirstFactor": "3", "callerWithoutFirstFactor": True}
    )
    counted = rules.console.provider.answers[f"{POLICIES}/CountAffectedUsers"]

    def count(fields: dict[str, Any], request: Any) -> Any:
        asked.append(fields)
        return counted(fields, request)

    rules.console.provider.answers[f"{POLICIES}/CountAffectedUsers"] = count
    shown = await rules.send(**ONLY_PASSKEYS)
    confirmed = await rules.send(**ONLY_PASSKEYS, confirmed="1")

    assert "3 users have none of the allowed first factors, and can no longer sign in." in shown.text
    assert "You are one of them: you could not sign in again." in shown.text
    assert 'name="first-passkey" value="on"' in shown.text
    assert (asked[0]["firstFactors"], asked[0]["idpIds"]) == ([PASSKEY], ["i1"])
    assert confirmed.status_code == 303
    assert calls(rules, "AddCustomLoginPolicy")[0]["firstFactors"] == {"types": [PASSKEY]}


async def test_empty_rule_is_refused_beside_its_field(rules: Rules) -> None:
    refused = await rules.send(limitFirstFactors="on")

    assert refused.status_code == 400
    assert 'id="firstFactors-problem"' in refused.text
    assert rules.called == []


async def test_ticked_factors_without_the_rule_are_refused_beside_their_field(rules: Rules) -> None:
    """They would have no effect; turning off a stored rule leaves them ticked."""
    refused = await rules.send(**{"first-passkey": "on"})
    called = list(rules.called)
    rules.answer(f"{POLICIES}/GetLoginPolicy", {"policy": {**LOGIN, "firstFactors": {"types": [PASSKEY, PROVIDER]}}})
    ticked = {"first-passkey": "on", "first-provider": "on", "idp-i1": None, "confirmed": "1"}
    turned_off = await rules.send(**ticked)
    names = [name for name, _, _ in rules.called]

    assert (refused.status_code, called) == (400, [])
    assert 'id="firstFactors-problem"' in refused.text
    assert 'name="first-passkey" checked' in refused.text
    assert turned_off.status_code == 303
    assert calls(rules, "AddCustomLoginPolicy")[0]["firstFactors"] == {"unrestricted": True}
    assert names.index("AddCustomLoginPolicy") < names.index("RemoveIDPFromLoginPolicy")


async def test_reset_states_who_can_no_longer_sign_in(rules: Rules) -> None:
    """With their number, and login names where the administrator may read users."""
    rules.answer(f"{POLICIES}/GetLoginPolicy", {"policy": {**LOGIN, "isDefault": False}})
    counts = {"counted": "20", "withoutFirstFactor": "2", "loginNames": ["una@acme.example", "pat"]}
    rules.answer(f"{POLICIES}/CountAffectedUsers", counts)
    page = await rules.browser.get("/ui/console/orgs/o1/rules/login/do/reset")

    assert "Users whose way to sign in they do not allow can no longer sign in." in page.text
    assert "2 users have none of the allowed first factors, and can no longer sign in." in page.text
    assert "<bdi>una@acme.example</bdi>, <bdi>pat</bdi>" in page.text


async def test_provider_is_offered_before_a_rule_needs_it_and_withdrawn_after(rules: Rules) -> None:
    """The API refuses the rule without a provider, and keeps the last provider of such a rule."""
    await rules.send(**{"limitFirstFactors": "on", "first-provider": "on", "idp-i2": "on", "confirmed": "1"})
    offered = [name for name, _, _ in rules.called]
    rules.called.clear()
    only = {**LOGIN, "firstFactors": {"types": [PROVIDER]}}
    rules.answer(f"{POLICIES}/GetLoginPolicy", {"policy": only})
    await rules.send(**{**ONLY_PASSKEYS, "idp-i1": None, "confirmed": "1"})
    withdrawn = [name for name, _, _ in rules.called]

    assert offered.index("AddIDPToLoginPolicy") < offered.index("AddCustomLoginPolicy")
    assert withdrawn.index("AddCustomLoginPolicy") < withdrawn.index("RemoveIDPFromLoginPolicy")


async def test_account_page_sets_no_password_where_none_is_allowed(
    console: ConsoleService, browser: httpx.AsyncClient
) -> None:
    method = "portico.user.v2.UserService/ListAuthenticationMethodTypes"
    await console.sign_in(browser, "/ui/account")
    pages = []
    for fields in ({"passwordNotAllowed": True}, {}):
        console.provider.answers[method] = lambda *_, body=fields: httpx.Response(200, json=body)
        pages.append((await browser.get("/ui/account/security")).text)

    assert ['id="no-passwords"' in page for page in pages] == [True, False]
    assert ['name="new_password"' in page for page in pages] == [False, True]
