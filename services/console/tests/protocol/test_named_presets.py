"""Presets that the generic operations add, by their names."""

from __future__ import annotations

import httpx
import pytest
from portico_fakes.console_service import ConsoleService

from .test_providers import BASE, GOOGLE, ID, IDPS, answering, calls, new_form


@pytest.fixture
async def administrator(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    held = [{"permission": one, "roles": ["ORG_OWNER"]} for one in ("org.idp.read", "org.idp.write")]
    console.provider.answers["portico.management.v1.CallerService/ListMyPermissions"] = answering({"permissions": held})
    await console.sign_in(browser, "/ui/console")
    return browser


@pytest.mark.parametrize(
    ("preset", "word", "member", "typed"),
    [
        ("okta", "OIDC", "oidc", {"issuer": "dev-11.okta.com"}),
        ("linkedin", "OIDC", "oidc", {}),
        ("discord", "OAuth", "oauth", {}),
        ("facebook", "OAuth", "oauth", {}),
    ],
)
async def test_preset_is_named_once_and_then_known(
    console: ConsoleService,
    administrator: httpx.AsyncClient,
    preset: str,
    word: str,
    member: str,
    typed: dict[str, str],
) -> None:
    """The form asks only for what differs; an update sends the addresses that it does not show."""
    stored = {
        "clientId": "c1",
        "issuer": "https://stored.example",
        "userEndpoint": "https://me.example",
        "preset": preset,
    }
    shown = GOOGLE | {"name": "Them", "config": {"options": {}, member: stored}}
    console.provider.answers |= {
        f"{IDPS}/AddGeneric{word}Provider": answering({"id": ID}),
        f"{IDPS}/UpdateGeneric{word}Provider": answering({}),
        f"{IDPS}/GetProviderByID": answering({"idp": shown}),
    }
    id, page = await new_form(administrator, preset)
    form = {"csrf": page.split('name="csrf" value="')[1].split('"')[0]}
    form |= {"f.name": "Them", "f.clientId": "c1"} | {f"f.{name}": value for name, value in typed.items()}
    await administrator.post(f"{BASE}/providers/new", data=form | {"preset": preset, "id": id, "f.clientSecret": "s"})
    edit = (await administrator.get(f"{BASE}/idps/{ID}/edit")).text
    await administrator.post(f"{BASE}/idps/{ID}/edit", data=form | {"sequence": "3"})
    [added], [changed] = (
        calls(console, f"{IDPS}/AddGeneric{word}Provider"),
        calls(console, f"{IDPS}/UpdateGeneric{word}Provider"),
    )

    assert (added["preset"], added.get("issuer")) == (preset, typed.get("issuer"))
    assert ('name="f.trustedEmail"' in page) == (preset != "facebook")
    assert f'name="preset" value="{preset}"' in edit
    assert "preset" not in changed
    assert changed.get("issuer") == (typed.get("issuer", stored["issuer"]) if member == "oidc" else None)
    assert changed.get("userEndpoint") == (stored["userEndpoint"] if member == "oauth" else None)


async def test_wrong_issuer_is_explained_by_the_test(console: ConsoleService, administrator: httpx.AsyncClient) -> None:
    """The address that was called and its answer are shown, without a visit to the provider."""
    url = "https://wrong.example/.well-known/openid-configuration"
    failed = {"errorId": "USER-962", "errorText": "Cannot be read.", "errorCause": "status 404", "errorUrl": url}
    console.provider.answers |= {
        f"{IDPS}/GetProviderByID": answering({"idp": GOOGLE}),
        f"{IDPS}/StartProviderTest": answering({"testId": "t1", "token": "t"}),
        f"{IDPS}/GetProviderTest": answering(failed),
    }
    page = await administrator.get(f"{BASE}/idps/{ID}")
    form = {"csrf": page.text.split('name="csrf" value="')[1].split('"')[0]}
    shown = await administrator.post(f"{BASE}/idps/{ID}/test", data=form, follow_redirects=True)

    assert f'<code dir="ltr">{url}</code>' in shown.text
    assert "status 404" in shown.text
    assert "compare it with the one that the provider shows" in shown.text
