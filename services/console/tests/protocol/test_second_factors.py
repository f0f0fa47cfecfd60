"""Recovery codes are shown with the first second factor; the notice names the removal of the last one."""

from __future__ import annotations

import json
from typing import Any, Final

import httpx
import pytest
from portico_fakes.console_service import ConsoleService, answering, refusal, send

OF: Final = "portico.user.v2.UserService"
AT: Final = "/ui/account/security"
KEY: Final = json.dumps({"id": "x"})
READY: Final = {"state": "AUTH_FACTOR_STATE_READY"}
DOORS: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    (f"{AT}/app/new", {"code": "123456"}),
    (f"{AT}/keys/new", {"id": "k1", "credential": KEY}),
    (f"{AT}/passkeys/new", {"id": "p1", "credential": KEY}),
    (f"{AT}/email-codes", {}),
)


@pytest.fixture
async def account(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    begun = {"publicKeyCredentialCreationOptions": {}, "u2fId": "k1", "passkeyId": "p1", "uri": "otpauth://x", "secret": "AB"}  # fmt: skip
    key = {"u2f": {"id": "k1", "name": "YubiKey 5", "authenticator": "YubiKey 5"}, **READY}
    answers: dict[str, dict[str, Any]] = {
        "RegisterTOTP": begun,
        "RegisterU2F": begun,
        "RegisterPasskey": begun,
        "ListAuthenticationFactors": {"result": [key]},
        "ListPasskeys": {"result": [{"id": "p1", "name": "1Password", **READY}]},
        "CountRecoveryCodes": {},
        "GenerateRecoveryCodes": {"recoveryCodes": ["AAAA-1111", "BBBB-2222"]},
    }
    console.provider.answers |= {f"{OF}/{name}": answering(body) for name, body in answers.items()}
    await console.sign_in(browser, "/ui/account")
    return browser


async def sent(browser: httpx.AsyncClient, path: str, typed: dict[str, str]) -> str:
    """Returns the page after the form."""
    found = await send(browser, path, page=AT, **typed)
    return (await browser.get(found.headers["location"])).text


async def test_first_factor_shows_recovery_codes(console: ConsoleService, account: httpx.AsyncClient) -> None:
    """The page after each form has the notice and the codes (decision 0046)."""
    for path, typed in DOORS:
        page = await sent(account, path, typed)
        assert ("AAAA-1111" in page, 'id="notice"' in page) == (True, True), path


async def test_codes_that_are_left_stay(console: ConsoleService, account: httpx.AsyncClient) -> None:
    console.provider.answers[f"{OF}/CountRecoveryCodes"] = answering({"count": 3})
    for path, typed in DOORS:
        assert "AAAA-1111" not in await sent(account, path, typed), path
    assert f"{OF}/GenerateRecoveryCodes" not in [method for method, _ in console.provider.calls]


async def test_factor_stands_without_codes(console: ConsoleService, account: httpx.AsyncClient) -> None:
    """A refusal to generate codes does not hide that the factor was set up."""
    console.provider.answers[f"{OF}/GenerateRecoveryCodes"] = refusal("unavailable", 503, "USER-1", "Later.")
    page = await sent(account, f"{AT}/app/new", {"code": "123456"})

    assert "The authenticator app is set up." in page


async def test_passkey_without_a_name_is_named(console: ConsoleService, account: httpx.AsyncClient) -> None:
    """No name is sent, and the notice has the one that the passkey got."""
    page = await sent(account, f"{AT}/passkeys/new", {"id": "p1", "name": " ", "credential": KEY})
    fields = next(fields for method, fields in console.provider.calls if method.endswith("/VerifyPasskeyRegistration"))

    assert "1Password was added." in page
    assert "passkeyName" not in fields


async def test_last_factor_says_so(console: ConsoleService, account: httpx.AsyncClient) -> None:
    forms: tuple[tuple[str, dict[str, str]], ...] = (
        ("app/remove", {}),
        ("email-codes/remove", {}),
        ("keys/remove", {"id": "k1", "name": "YubiKey 5"}),
    )
    for left, said in ((["TOTP"], False), (["PASSWORD", "RECOVERY_CODE"], True)):
        kinds = [f"AUTHENTICATION_METHOD_TYPE_{one}" for one in left]
        console.provider.answers[f"{OF}/ListAuthenticationMethodTypes"] = answering({"authMethodTypes": kinds})
        for path, typed in forms:
            page = await sent(account, f"{AT}/{path}", typed)
            assert ("Your account has no second factor now." in page) is said, path


async def test_security_page_begins_with_the_protection(console: ConsoleService, account: httpx.AsyncClient) -> None:
    assert 'id="unprotected"' in (await account.get(AT)).text
    kinds = [f"AUTHENTICATION_METHOD_TYPE_{one}" for one in ("PASSKEY", "TOTP")]
    console.provider.answers[f"{OF}/ListAuthenticationMethodTypes"] = answering({"authMethodTypes": kinds})
    page = (await account.get(AT)).text

    assert "<strong>Your account is protected</strong><span>Passkey, Authenticator app</span>" in page
