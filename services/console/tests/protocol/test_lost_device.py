"""A lost device: what was selected is removed in one step, and each result is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.console_service import ISSUER, ConsoleService, refusal

MANAGEMENT = "portico.management.v1"
USER_API = "portico.user.v2.UserService"
PAGE = "/ui/console/orgs/o1/users/u2/lost-device"
HELD = ("user.read", "user.write", "user.credential.write", "user.passkey.write", "session.delete", "policy.read")
REMOVE = f"{USER_API}/RemoveCredentials"
TOO_OLD = refusal("permission_denied", 403, "USER-731", "Sign in again.")


def answering(body: dict[str, Any]) -> Callable[[dict[str, Any], httpx.Request], httpx.Response]:
    return lambda _fields, _request: httpx.Response(200, json=body)


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    human = {"profile": {"displayName": "Grace Hopper"}, "email": {"email": "grace@home.example"}}
    words = [f"AUTHENTICATION_METHOD_TYPE_{one}" for one in ("PASSWORD", "PASSKEY", "TOTP")]
    held = [{"permission": one, "roles": ["ORG_OWNER"]} for one in HELD]
    keys = [{"id": "pk/1", "name": "iPhone"}, {"id": "pk2", "name": "MacBook"}]
    console.provider.answers |= {
        f"{MANAGEMENT}.CallerService/ListMyPermissions": answering({"org": {"id": "o1"}, "permissions": held}),
        f"{USER_API}/GetUserByID": answering({"user": {"userId": "u2", "state": "USER_STATE_ACTIVE", "human": human}}),
        f"{USER_API}/ListAuthenticationMethodTypes": answering({"authMethodTypes": words}),
        f"{USER_API}/ListPasskeys": answering({"result": keys}),
        f"{USER_API}/ListAuthenticationFactors": answering({"result": [{"otp": {}}]}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


async def send(browser: httpx.AsyncClient, **fields: str) -> httpx.Response:
    page = await browser.get(PAGE)
    csrf = page.text.split('name="csrf" value="')[1].split('"')[0]
    return await browser.post(PAGE, data={"csrf": csrf, **fields}, headers={"Origin": ISSUER})


def changes(console: ConsoleService) -> list[dict[str, Any]]:
    return [fields for name, fields in console.provider.calls if name == REMOVE]


async def test_everything_is_done_in_one_call(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Only the selected credentials are removed, all or none, and the user gets one email about them."""
    sent = await send(signed_in, **{"lost-passkey:pk/1": "on", "lost-app": "on", "end_sessions": "on", "next": "link"})
    page = (await signed_in.get(sent.headers["location"])).text

    assert changes(console) == [
        {"userId": "u2", "passkeyIds": ["pk/1"], "totp": True, "endSessions": True, "sendPasskeyLink": True}
    ]
    assert "Everything was done." in page
    assert "<bdi>MacBook</bdi>" in page.split('id="left"')[1]


async def test_nothing_is_done_without_a_selection(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    refused = await send(signed_in, end_sessions="on", next="later")

    assert (refused.status_code, changes(console)) == (400, [])
    assert 'id="lost-problem"' in refused.text
    assert 'id="next-later" name="next" value="later" checked' in refused.text


async def test_refusal_is_shown_beside_the_selection(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[REMOVE] = refusal("not_found", 404, "USER-501", "Not found.")
    refused = await send(signed_in, **{"lost-app": "on", "next": "later"})

    assert refused.status_code == 404
    assert 'id="lost-refused">Not found.<' in refused.text
    assert 'name="lost-app" checked' in refused.text
    assert 'name="end_sessions" checked' not in refused.text


async def test_page_needs_a_recent_sign_in(signed_in: httpx.AsyncClient, clock: FrozenClock) -> None:
    clock.tick(241)

    assert (await signed_in.get(PAGE)).status_code == 303


async def test_selection_survives_the_sign_in(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[REMOVE] = TOO_OLD
    asked = await send(signed_in, **{"lost-app": "on", "next": "later"})
    back = await signed_in.get(console.provider.authorize(asked.headers["location"]))
    again = await signed_in.get(back.headers["location"])
    page = (await signed_in.get(again.headers["location"])).text

    assert 'name="lost-app" checked' in page
    assert 'name="lost-passkey:pk2" checked' not in page
    assert 'name="end_sessions" checked' not in page


@pytest.mark.parametrize(("required", "sentence"), [(True, "requires a second factor"), (False, "requires no second")])
async def test_next_sign_in_is_described_by_the_policy(
    console: ConsoleService, signed_in: httpx.AsyncClient, *, required: bool, sentence: str
) -> None:
    console.provider.answers[f"{MANAGEMENT}.PolicyService/GetLoginPolicy"] = answering(
        {"policy": {"forceMfa": required}}
    )

    assert sentence in (await signed_in.get(PAGE)).text


async def test_only_device_is_selected(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Recovery codes are not on a device; of several devices, the administrator selects the lost ones."""
    several = (await signed_in.get(PAGE)).text
    words = [f"AUTHENTICATION_METHOD_TYPE_{one}" for one in ("PASSWORD", "PASSKEY", "RECOVERY_CODE")]
    console.provider.answers |= {
        f"{USER_API}/ListAuthenticationMethodTypes": answering({"authMethodTypes": words}),
        f"{USER_API}/ListPasskeys": answering({"result": [{"id": "pk1", "name": "iPhone"}]}),
        f"{USER_API}/CountRecoveryCodes": answering({"count": 8}),
    }
    single = (await signed_in.get(PAGE)).text

    assert 'name="lost-passkey:pk/1">' in several
    assert 'name="lost-passkey:pk1" checked' in single
    assert 'name="lost-codes">' in single
