from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.console_service import ISSUER, ConsoleService, refusal

IDPS = "portico.management.v1.IDPService"
POLICIES = "portico.management.v1.PolicyService"
BASE = "/ui/console/orgs/o1"
ID = "a" * 26
GOOGLE = {
    "id": ID, "name": "Google", "state": "IDP_STATE_ACTIVE", "owner": "IDP_OWNER_TYPE_ORG", "type": "PROVIDER_TYPE_GOOGLE",
    "details": {"sequence": "3"}, "config": {"options": {"isCreationAllowed": True}, "google": {"clientId": "c1"}},
}  # fmt: skip
RESULT = {
    "claims": [{"source": "id_token", "claims": [{"name": "email", "value": "<b>ada@google.example"}]}],
    "user": {"externalId": "7f3c1e", "userName": "ada@google.example", "email": "ada@google.example"},
    "effect": "PROVIDER_TEST_EFFECT_ASKS", "missing": ["first_name"],
}  # fmt: skip


def answering(body: dict[str, Any]) -> Callable[[dict[str, Any], httpx.Request], httpx.Response]:
    return lambda _fields, _request: httpx.Response(200, json=body)


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    console.provider.answers |= {
        f"{IDPS}/AddGoogleProvider": answering({"id": ID}),
        f"{IDPS}/UpdateGoogleProvider": answering({}),
        f"{IDPS}/GetProviderByID": answering({"idp": GOOGLE}),
        f"{IDPS}/GetProviderUsage": answering({"linkedUsers": "2"}),
        f"{IDPS}/StartProviderTest": answering({"testId": "t1", "authUrl": "https://google.example/authorize?state=s"}),
        f"{IDPS}/GetProviderTest": answering(RESULT),
        f"{POLICIES}/GetLoginPolicy": answering({"policy": {"allowExternalIdp": True}}),
        f"{POLICIES}/AddIDPToLoginPolicy": answering({}),
    }
    held = [
        {"permission": one, "roles": ["ORG_OWNER"]}
        for one in ("org.idp.read", "org.idp.write", "policy.read", "policy.write")
    ]
    console.provider.answers["portico.management.v1.CallerService/ListMyPermissions"] = answering({"permissions": held})
    await console.sign_in(browser, "/ui/console")
    return browser


async def form_of(browser: httpx.AsyncClient, address: str) -> dict[str, str]:
    page = await browser.get(address)
    assert page.status_code == 200, page.text
    return {"csrf": page.text.split('name="csrf" value="')[1].split('"')[0]}


def calls(console: ConsoleService, method: str) -> list[dict[str, Any]]:
    return [fields for name, fields in console.provider.calls if name == method]


async def new_form(browser: httpx.AsyncClient, preset: str = "google") -> tuple[str, str]:
    """Returns the id of the new provider and the page."""
    begun = await browser.get(f"{BASE}/providers/new?preset={preset}")
    address = begun.headers["location"]
    return parse_qs(urlsplit(address).query)["id"][0], (await browser.get(address)).text


async def test_redirect_uri_is_shown_before_anything_is_typed(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """The redirect URI stays the same on a reload, and is that of the provider that is then created."""
    id, page = await new_form(signed_in)
    uri = f"{ISSUER}/ui/login/idps/{id}/callback"
    again = await signed_in.get(f"{BASE}/providers/new?preset=google&id={id}")
    token = page.split('name="csrf" value="')[1].split('"')[0]
    form = {"csrf": token, "preset": "google", "id": id, "f.name": "Google", "f.clientId": "c1", "f.clientSecret": "s"}
    added = await signed_in.post(f"{BASE}/providers/new", data=form)
    shown = await signed_in.get(f"{BASE}/idps/{ID}")

    assert uri in page
    assert uri in again.text
    assert calls(console, f"{IDPS}/AddGoogleProvider")[0]["id"] == id
    assert urlsplit(added.headers["location"]).path == f"{BASE}/idps/{id}"
    assert f"{ISSUER}/ui/login/idps/{ID}/callback" in shown.text


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        *((one, "/ui/login/idps/") for one in ("google", "microsoft", "apple", "github", "github-server")),
        *(
            (one, "/ui/login/idps/")
            for one in ("gitlab", "gitlab-server", "oidc", "oauth", "okta", "auth0", "keycloak")
        ),
        *((one, "/ui/login/idps/") for one in ("slack", "linkedin", "discord", "facebook", "x")),
        ("jwt", "/ui/login/login/jwt/authorize"),
        ("ldap", ""),
    ],
)
async def test_every_preset_shows_its_redirect_uri(signed_in: httpx.AsyncClient, preset: str, expected: str) -> None:
    """A directory has none; a proxy gets the address it forwards to."""
    _, page = await new_form(signed_in, preset)

    assert ('id="redirect-uri"' in page) == bool(expected)
    assert expected in page


@pytest.mark.parametrize("ticked", [True, False])
async def test_what_the_form_shows_is_saved(
    console: ConsoleService, signed_in: httpx.AsyncClient, *, ticked: bool
) -> None:
    """An option that is not ticked is saved as no, and the defaults of the API play no part."""
    id, page = await new_form(signed_in)
    options = ("isCreationAllowed", "isAutoCreation", "isLinkingAllowed", "isAutoUpdate")
    names = (*(f"f.providerOptions.{one}" for one in options), "f.trustedEmail")
    token = page.split('name="csrf" value="')[1].split('"')[0]
    form = {"csrf": token, "preset": "google", "id": id, "f.name": "Google", "f.clientId": "c1", "f.clientSecret": "s"}
    await signed_in.post(f"{BASE}/providers/new", data=form | (dict.fromkeys(names, "on") if ticked else {}))
    [sent] = calls(console, f"{IDPS}/AddGoogleProvider")

    assert all(f'name="{name}" checked' in page for name in names)
    assert sent["providerOptions"] == {
        "isCreationAllowed": ticked, "isAutoCreation": ticked, "isLinkingAllowed": ticked, "isAutoUpdate": ticked,
        "autoLinking": "AUTO_LINKING_OPTION_UNSPECIFIED",
    }  # fmt: skip
    assert sent["trustedEmail"] is ticked


async def test_edit_shows_the_stored_values_and_keeps_the_secret(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """An empty secret is not sent, and the version of the page is."""
    form = await form_of(signed_in, f"{BASE}/idps/{ID}/edit")
    page = await signed_in.get(f"{BASE}/idps/{ID}/edit")
    await signed_in.post(
        f"{BASE}/idps/{ID}/edit",
        data=form
        | {"sequence": "3", "f.name": "Google", "f.clientId": "c2", "f.providerOptions.isCreationAllowed": "on"},
    )
    [sent] = calls(console, f"{IDPS}/UpdateGoogleProvider")

    assert 'name="f.providerOptions.isCreationAllowed" checked' in page.text
    assert 'name="f.providerOptions.isLinkingAllowed" checked' not in page.text
    assert "clientSecret" not in sent
    assert (sent["clientId"], sent["idpId"]) == ("c2", ID)


async def test_edit_keeps_what_the_form_does_not_show(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """An update of a directory replaces all its values; one that the form shows may be emptied."""
    ldap = {
        "servers": ["ldaps://l.example"], "baseDn": "dc=l", "bindDn": "cn=r", "userFilters": ["uid"], "timeout": "7s",
        "attributes": {"avatarUrlAttribute": "photo", "preferredLanguageAttribute": "lang"},
    }  # fmt: skip
    stored = GOOGLE | {"type": "PROVIDER_TYPE_LDAP", "config": {"options": {}, "ldap": ldap}}
    console.provider.answers |= {
        f"{IDPS}/GetProviderByID": answering({"idp": stored}),
        f"{IDPS}/UpdateLDAPProvider": answering({}),
    }
    form = await form_of(signed_in, f"{BASE}/idps/{ID}/edit")
    typed = {"f.name": "Directory", "f.servers": "ldaps://l.example", "f.baseDn": "dc=l", "f.userFilters": "uid"}
    await signed_in.post(f"{BASE}/idps/{ID}/edit", data=form | typed | {"sequence": "3"})
    [sent] = calls(console, f"{IDPS}/UpdateLDAPProvider")

    assert (sent["timeout"], sent["attributes"]["avatarUrlAttribute"]) == ("7s", "photo")
    assert sent["attributes"]["preferredLanguageAttribute"] == ""
    assert "bindPassword" not in sent


async def test_refused_provider_keeps_the_input_but_no_secret(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """The problem is beside its field, and nothing was saved."""
    console.provider.answers[f"{IDPS}/AddGoogleProvider"] = refusal(
        "invalid_argument", 400, "USER-627", "Malformed.", **{"hostedDomains[0]": "This value is malformed."}
    )
    id, page = await new_form(signed_in)
    token = page.split('name="csrf" value="')[1].split('"')[0]
    refused = await signed_in.post(
        f"{BASE}/providers/new",
        data={"csrf": token, "preset": "google", "id": id, "f.name": "Mail", "f.clientId": "c1", "f.clientSecret": "canary",
              "f.hostedDomains": "Example"},
    )  # fmt: skip

    assert refused.status_code == 400
    assert 'id="f-hostedDomains-problem"' in refused.text
    assert 'value="Mail"' in refused.text
    assert id in refused.text
    assert "canary" not in refused.text
    assert "hostedDomains[" not in refused.text


async def test_step_up_keeps_the_input_of_a_provider(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[f"{IDPS}/AddGoogleProvider"] = refusal("permission_denied", 403, "USER-731", "Sign in.")
    id, page = await new_form(signed_in)
    token = page.split('name="csrf" value="')[1].split('"')[0]
    form = {
        "csrf": token,
        "preset": "google",
        "id": id,
        "f.name": "Mail",
        "f.clientId": "c9",
        "f.clientSecret": "canary",
    }
    sent = await signed_in.post(f"{BASE}/providers/new", data=form)
    back = await signed_in.get(console.provider.authorize(sent.headers["location"]))
    again = await signed_in.get(back.headers["location"])

    assert 'value="c9"' in again.text
    assert id in again.text
    assert "canary" not in again.text


@pytest.mark.parametrize(("id", "steps_up"), [("USER-104", False), ("USER-731", True)])
async def test_form_of_a_provider_keeps_its_version(
    console: ConsoleService, signed_in: httpx.AsyncClient, id: str, *, steps_up: bool
) -> None:
    """The form is older than the stored provider, and shown again after a refusal or a sign-in."""
    code, status = ("permission_denied", 403) if steps_up else ("failed_precondition", 400)
    console.provider.answers[f"{IDPS}/UpdateGoogleProvider"] = refusal(code, status, id, "Refused.")
    form = await form_of(signed_in, f"{BASE}/idps/{ID}/edit")
    shown = await signed_in.post(f"{BASE}/idps/{ID}/edit", data=form | {"sequence": "2", "f.name": "Mail"})
    if steps_up:
        back = await signed_in.get(console.provider.authorize(shown.headers["location"]))
        again = await signed_in.get(back.headers["location"])
        shown = await signed_in.get(again.headers["location"])

    assert 'value="Mail"' in shown.text
    assert 'name="sequence" value="2"' in shown.text


async def test_first_own_button_replaces_those_of_the_instance(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """The page warns before the button is shown."""
    links = [{"idpId": "other", "idpName": "Everybody", "ownerType": "IDP_OWNER_TYPE_SYSTEM"}]
    console.provider.answers[f"{POLICIES}/GetLoginPolicy"] = answering(
        {"policy": {"allowExternalIdp": True, "isDefault": True, "idps": links}}
    )
    page = await signed_in.get(f"{BASE}/idps/{ID}")
    form = await form_of(signed_in, f"{BASE}/idps/{ID}")
    shown = await signed_in.post(f"{BASE}/idps/{ID}/button", data=form | {"show": "on"})
    notice = await signed_in.get(shown.headers["location"])

    assert 'id="button-replaces"' in page.text
    assert "Everybody" in page.text
    assert calls(console, f"{POLICIES}/AddIDPToLoginPolicy") == [{"idpId": ID}]
    assert "Google is now on the sign-in page." in notice.text


async def test_last_test_is_on_the_page(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The page states that there was none, that it worked, or why it failed and that the provider changed since."""
    pages = []
    for last in ({}, {"time": "2026-11-23T10:00:00Z"},
                 {"time": "2026-11-23T10:00:00Z", "errorId": "USER-979", "errorText": "It refused.", "outdated": True}):  # fmt: skip
        answer = {"idp": GOOGLE, **({"lastTest": last} if last else {})}
        console.provider.answers[f"{IDPS}/GetProviderByID"] = answering(answer)
        pages.append((await signed_in.get(f"{BASE}/idps/{ID}")).text)

    assert "Not tested yet." in pages[0]
    assert "worked" in pages[1]
    assert "It refused." in pages[2]
    assert ["changed since" in page for page in pages] == [False, False, True]


async def test_test_sign_in_shows_what_came_once(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The result is text, has no token, and a reload does not show it again."""
    form = await form_of(signed_in, f"{BASE}/idps/{ID}")
    leaving = await signed_in.post(f"{BASE}/idps/{ID}/test", data=form)
    came = await signed_in.get("/ui/console/provider-test?id=t1&token=canary")
    first, again = [await signed_in.get(came.headers["location"]) for _ in range(2)]

    assert "https://google.example/authorize?state=s" in leaving.text
    assert calls(console, f"{IDPS}/GetProviderTest") == [{"idpId": ID, "testId": "t1", "token": "canary"}]
    assert "&lt;b&gt;ada@google.example" in first.text
    assert "first name" in first.text
    assert "canary" not in first.text
    assert 'id="test-shown"' in again.text


@pytest.mark.parametrize("case", ["another browser", "another test", "second time"])
async def test_result_is_only_for_the_browser_that_began(
    console: ConsoleService, signed_in: httpx.AsyncClient, case: str
) -> None:
    """Nothing is asked of the API without the cookie of the test."""
    form = await form_of(signed_in, f"{BASE}/idps/{ID}")
    await signed_in.post(f"{BASE}/idps/{ID}/test", data=form)
    if case == "another browser":
        for name in [name for name in signed_in.cookies if "provider-test" in name]:
            del signed_in.cookies[name]
    if case == "second time":
        await signed_in.get("/ui/console/provider-test?id=t1&token=x")
    before = len(calls(console, f"{IDPS}/GetProviderTest"))
    came = await signed_in.get(f"/ui/console/provider-test?id={'t2' if case == 'another test' else 't1'}&token=x")

    assert came.status_code == 403
    assert "CONS-272" in came.text
    assert len(calls(console, f"{IDPS}/GetProviderTest")) == before


async def test_start_of_a_test_needs_a_recent_sign_in(
    console: ConsoleService, signed_in: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """The step-up returns to the page of the test."""
    form = await form_of(signed_in, f"{BASE}/idps/{ID}")
    console.provider.answers[f"{IDPS}/StartProviderTest"] = refusal("permission_denied", 403, "USER-731", "Sign in.")
    sent = await signed_in.post(f"{BASE}/idps/{ID}/test", data=form)
    clock.tick(300)
    page = await signed_in.get(f"{BASE}/idps/{ID}/test")

    assert all("/oauth/v2/authorize" in one.headers["location"] for one in (sent, page))


@pytest.mark.parametrize(
    ("cause", "description", "advice"),
    [
        ("invalid_client", "", "Copy the secret again"),
        ("invalid_request", "Invalid redirect_uri", "Register exactly the redirect URI"),
        ("invalid_scope", "", "does not know a requested scope"),
        ("something_else", "", "The fix of the API."),
    ],
)
async def test_error_of_the_provider_has_its_correction(
    console: ConsoleService, signed_in: httpx.AsyncClient, cause: str, description: str, advice: str
) -> None:
    console.provider.answers[f"{IDPS}/GetProviderTest"] = answering(
        {"errorId": "USER-979", "errorText": "It refused.", "errorFix": "The fix of the API.", "errorCause": cause,
         "errorDescription": description}
    )  # fmt: skip
    form = await form_of(signed_in, f"{BASE}/idps/{ID}")
    await signed_in.post(f"{BASE}/idps/{ID}/test", data=form)
    came = await signed_in.get("/ui/console/provider-test?id=t1&token=x")
    page = await signed_in.get(came.headers["location"])

    assert advice in page.text
    assert cause in page.text


async def test_overtaken_form_of_a_provider_can_be_saved_again(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """It shows what is stored now, and gets the version of that."""
    refused = refusal("failed_precondition", 400, "USER-728", "It was changed.")
    console.provider.answers[f"{IDPS}/UpdateGoogleProvider"] = refused
    form = await form_of(signed_in, f"{BASE}/idps/{ID}/edit")
    shown = await signed_in.post(f"{BASE}/idps/{ID}/edit", data=form | {"sequence": "2", "f.name": "Mail"})

    assert 'value="Mail"' in shown.text
    assert 'name="sequence" value="3"' in shown.text
    assert "<bdi>Google</bdi>" in shown.text.split('id="form-changed"')[1]
