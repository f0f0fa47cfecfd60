"""Errors of fields are beside their inputs, with labels."""

from __future__ import annotations

import httpx
import pytest
from portico_fakes.console_service import PERMISSIONS, Answer, ConsoleService, answering, holding, refusal, send

APP = "portico.management.v1.AppService"
USER_API = "portico.user.v2.UserService"
BASE = "/ui/console/orgs/o1"
SETTINGS = f"{BASE}/projects/p1/apps/a1/do/settings"


@pytest.fixture
async def console_browser(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    app = {"id": "a1", "name": "Shop", "oidcConfig": {"clientId": "c1"}}
    console.provider.answers |= {
        PERMISSIONS: holding("project.app.read", "project.app.write", "project.create"),
        f"{APP}/GetAppByID": answering({"app": app}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


@pytest.fixture
async def account_browser(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    await console.sign_in(browser, "/ui/account")
    return browser


def refusing(**fields: str) -> Answer:
    return refusal("invalid_argument", 400, "USER-303", "", **fields)


async def test_generated_form_links_its_errors(console: ConsoleService, console_browser: httpx.AsyncClient) -> None:
    """The list above the form has labels and links; the field has its error and the focus."""
    console.provider.answers[f"{APP}/UpdateOIDCAppConfig"] = refusing(
        **{"redirectUris[0]": "Use https.", "appId": "Odd."}
    )
    page = (await send(console_browser, SETTINGS, **{"f.redirectUris": "http://shop.example"})).text
    textarea = page.partition('<textarea id="f-redirectUris"')[2].partition(">")[0]

    assert '<a href="#f-redirectUris">Redirect URIs</a>: Use https.' in page
    assert "<li>App ID: Odd.</li>" in page
    assert "redirectUris[0]" not in page
    assert all(one in textarea for one in ('aria-invalid="true"', "f-redirectUris-problem", "autofocus"))
    assert page.count("autofocus") == 1


async def test_error_without_a_field_is_focused(console: ConsoleService, console_browser: httpx.AsyncClient) -> None:
    console.provider.answers[f"{APP}/UpdateOIDCAppConfig"] = refusal("already_exists", 409, "USER-100", "Taken.")
    page = (await send(console_browser, SETTINGS)).text

    assert '<div class="problem" role="alert" id="form-problem" tabindex="-1" autofocus><p>Taken.</p></div>' in page


async def test_new_application_names_its_fields(console: ConsoleService, console_browser: httpx.AsyncClient) -> None:
    console.provider.answers[f"{APP}/AddOIDCApp"] = refusing(**{"redirectUris[0]": "Use https.", "name": "Too long."})
    path = f"{BASE}/apps/new"
    typed = {"kind": "web", "f.name": "Shop", "project": "p1", "f.redirectUris": "http://shop.example"}
    page = (await send(console_browser, path, page=f"{path}?kind=web", **typed)).text

    assert 'id="f-redirectUris-problem">Use https.' in page
    assert 'id="f-name-problem">Too long.' in page
    assert "redirectUris[" not in page


async def test_account_page_names_the_field(console: ConsoleService, account_browser: httpx.AsyncClient) -> None:
    """The message has the label, and the input has the error, the focus and what was typed."""
    console.provider.answers[f"{USER_API}/UpdateHumanUser"] = refusing(**{"profile.firstName": "Too long."})
    page = (await send(account_browser, "/ui/account/profile", first_name="A" * 300, last_name="B")).text
    input = page.partition('<input id="first_name"')[2].partition(">")[0]

    assert '<a href="#first_name">First name: Too long.</a>' in page
    assert all(one in input for one in ('aria-invalid="true"', "first_name-wrong", "autofocus", "AAA"))


async def test_renamed_passkey_keeps_its_form_open(console: ConsoleService, account_browser: httpx.AsyncClient) -> None:
    ready = {"state": "AUTH_FACTOR_STATE_READY"}
    console.provider.answers |= {
        f"{USER_API}/ListPasskeys": answering({"result": [{"id": "p1", "name": "Phone", **ready}]}),
        f"{USER_API}/RenamePasskey": refusing(passkeyName="Too long."),
    }
    path = "/ui/account/security"
    page = (await send(account_browser, f"{path}/passkeys/rename", page=path, id="p1", name="X" * 201)).text

    assert '<details class="menu choose" open>' in page
    assert 'id="name-p1-wrong">Too long.' in page
    assert "passkeyName" not in page


async def test_wrong_code_is_beside_its_input(console: ConsoleService, account_browser: httpx.AsyncClient) -> None:
    begun = {"uri": "otpauth://totp/Portico:ada?secret=ABCDEFGH", "secret": "ABCDEFGH"}
    console.provider.answers |= {
        f"{USER_API}/RegisterTOTP": answering(begun),
        f"{USER_API}/VerifyTOTPRegistration": refusal("invalid_argument", 400, "USER-512", "The code is wrong."),
    }
    page = (await send(account_browser, "/ui/account/security/app/new", code="000000")).text

    assert 'id="code-wrong">The code is wrong.' in page
