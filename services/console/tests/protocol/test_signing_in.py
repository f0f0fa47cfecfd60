"""The relying party: what it sends, what it accepts, and when a session ends."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import ECKey
from portico_fakes.clock import FrozenClock
from portico_fakes.console_service import ISSUER, ConsoleService
from portico_oauth.jose import SigningKey

APPLICATIONS = [("/ui/console", "portico-console"), ("/ui/account", "portico-account")]


def query_of(response: httpx.Response) -> dict[str, str]:
    """The parameters a redirect has."""
    return dict(parse_qsl(urlsplit(response.headers["location"]).query))


@pytest.mark.parametrize(("path", "client_id"), APPLICATIONS)
async def test_without_a_session_a_page_leads_to_the_authorization_endpoint(
    browser: httpx.AsyncClient, path: str, client_id: str
) -> None:
    """The request has a code, PKCE with S256, nonce and state, the API's audience, and requests no offline access."""
    begun = await browser.get(path)
    query = query_of(begun)

    assert begun.status_code == 303
    assert begun.headers["location"].startswith(f"{ISSUER}/oauth/v2/authorize?")
    assert {name: query[name] for name in ("response_type", "client_id", "redirect_uri", "code_challenge_method")} == {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": f"{ISSUER}{path}/callback",
        "code_challenge_method": "S256",
    }
    assert "urn:portico:project:id:portico:aud" in query["scope"].split()
    assert "offline_access" not in query["scope"]
    assert {len(query[name]) for name in ("state", "nonce", "code_challenge")} == {43}


@pytest.mark.parametrize(("path", "_client_id"), APPLICATIONS)
async def test_the_address_with_a_slash_redirects_to_the_one_without(
    browser: httpx.AsyncClient, path: str, _client_id: str
) -> None:
    """A typed slash at the end leads to the first page with its query; a form sent there is not repeated (AZ-16)."""
    plain, with_query = await browser.get(f"{path}/"), await browser.get(f"{path}/?tab=keys")
    form = await browser.post(f"{path}/", data={"csrf": "x"})

    assert [plain.status_code, plain.headers["location"]] == [308, path]
    assert with_query.headers["location"] == f"{path}?tab=keys"
    assert form.status_code == 405


async def test_a_sign_in_leads_to_the_page_that_was_wanted(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The browser comes back to path and query, with a session cookie scripts cannot read."""
    done = await console.sign_in(browser, "/ui/account?tab=keys")
    cookies = done.headers.get_list("set-cookie")
    page = await browser.get("/ui/account")

    assert done.headers["location"] == "/ui/account?tab=keys"
    assert any(one.startswith("__Host-portico-account-") and "HttpOnly; SameSite=Lax; Secure" in one for one in cookies)
    assert page.status_code == 200
    assert 'id="account-heading"' in page.text


async def test_the_client_authenticates_by_private_key_jwt(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The assertion is for the issuer, of one minute, with a jti of its own, under the key id of the client."""
    await console.sign_in(browser, "/ui/console")
    await console.sign_in(browser, "/ui/account")
    key = ECKey.import_key(console.client_key)
    console_jwt, account_jwt = (
        jwt.decode(form["client_assertion"], key, algorithms=["ES256"]) for form in console.provider.forms
    )

    assert console_jwt.header["kid"] == "portico-console-key"
    assert account_jwt.header["kid"] == "portico-account-key"
    assert {name: console_jwt.claims[name] for name in ("iss", "sub", "aud")} == {
        "iss": "portico-console",
        "sub": "portico-console",
        "aud": ISSUER,
    }
    assert console_jwt.claims["exp"] - console_jwt.claims["iat"] == 60
    assert console_jwt.claims["jti"] != account_jwt.claims["jti"]


@pytest.mark.parametrize(
    "change",
    [
        {"state": "x" * 43},
        {"state": ""},
        {"state": "../../" + "a" * 37},
        {"iss": "https://evil.example"},
        {"iss": ""},
    ],
)
async def test_a_callback_of_another_flow_is_refused(
    console: ConsoleService, browser: httpx.AsyncClient, change: dict[str, str]
) -> None:
    """Without the state of this browser, or from another issuer, no code is redeemed (RFC 9207, RFC 6749 §10.12)."""
    begun = await browser.get("/ui/console")
    parameters = dict(parse_qsl(urlsplit(console.provider.authorize(begun.headers["location"])).query)) | change
    answer = await browser.get("/ui/console/callback", params=parameters)

    assert answer.status_code == 400
    assert "CONS-101" in answer.text
    assert console.provider.forms == []


async def test_a_callback_in_another_browser_is_refused(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """Who sends a victim the address of a callback signs them in as no one (login CSRF)."""
    begun = await browser.get("/ui/console")
    async with console.browser() as victim:
        answer = await victim.get(console.provider.authorize(begun.headers["location"]))

    assert answer.status_code == 400
    assert console.provider.forms == []


async def test_a_sign_in_that_took_too_long_begins_again(
    console: ConsoleService, browser: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """After ten minutes the sealed cookie is no use, whatever the browser does with its age."""
    begun = await browser.get("/ui/console")
    clock.tick(601)
    answer = await browser.get(console.provider.authorize(begun.headers["location"]))

    assert "CONS-101" in answer.text


async def test_two_tabs_sign_in_beside_each_other(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The second beginning does not end the first."""
    first, second = [await browser.get(f"/ui/account?tab={tab}") for tab in ("one", "two")]
    done = [await browser.get(console.provider.authorize(begun.headers["location"])) for begun in (first, second)]

    assert [one.headers["location"] for one in done] == ["/ui/account?tab=one", "/ui/account?tab=two"]


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"},
        {"aud": "portico-account"},
        {"aud": ["another"]},
        {"azp": "another"},
        {"nonce": "another"},
        {"exp": 1},
        {"exp": "later"},
        {"sub": ""},
        {"sub": 7},
    ],
)
async def test_an_id_token_that_breaks_a_rule_makes_no_session(
    console: ConsoleService, browser: httpx.AsyncClient, claims: dict[str, Any]
) -> None:
    """Issuer, audience, authorized party, nonce, time and subject are verified (OIDC Core §3.1.3.7)."""
    console.provider.claims = claims
    answer = await console.sign_in(browser, "/ui/console")

    assert answer.status_code == 500
    assert "CONS-102" in answer.text
    assert not any(
        cookie.startswith("__Host-portico-console-") for cookie in browser.cookies if "sign-in" not in cookie
    )


async def test_an_id_token_of_another_key_makes_no_session(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The signature is verified with the key set, whatever key id the token names."""
    begun = await browser.get("/ui/console")
    callback = console.provider.authorize(begun.headers["location"])
    console.provider.published, console.provider.key = console.provider.key, SigningKey.generate("k1", "RS256")
    answer = await browser.get(callback)

    assert "CONS-102" in answer.text


@pytest.mark.parametrize("error", ["access_denied", "server_error", "unmet_authentication_requirements"])
async def test_a_refused_authorization_is_a_page(
    console: ConsoleService, browser: httpx.AsyncClient, error: str
) -> None:
    """The page names it and leads to a new beginning, rather than around in a circle."""
    state = query_of(await browser.get("/ui/console"))["state"]
    answer = await browser.get("/ui/console/callback", params={"error": error, "state": state, "iss": ISSUER})

    assert answer.status_code == 403
    assert "CONS-104" in answer.text
    assert 'href="/ui/console"' in answer.text


async def test_half_a_tokens_life_later_a_page_renews_it_without_another(
    console: ConsoleService, browser: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """The redirect has prompt=none and a hint whom it is about; a form at the same age is taken."""
    await console.sign_in(browser, "/ui/account")
    clock.tick(1_799)
    still = await browser.get("/ui/account")
    clock.tick(1)
    renewing = await browser.get("/ui/account?tab=keys")
    form = await browser.post("/ui/account/sign-out", data={"csrf": "wrong"})
    renewed = await browser.get(console.provider.authorize(renewing.headers["location"]))

    assert still.status_code == 200
    assert query_of(renewing)["prompt"] == "none"
    assert query_of(renewing)["id_token_hint"].count(".") == 2
    assert form.status_code == 403
    assert renewed.headers["location"] == "/ui/account?tab=keys"


async def test_a_renewal_that_needs_pages_begins_a_sign_in(
    console: ConsoleService, browser: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """When the session at the provider ended, prompt=none is refused, and the person signs in."""
    console.provider.seconds = 3_000
    await console.sign_in(browser, "/ui/account")
    clock.tick(1_500)
    state = query_of(await browser.get("/ui/account"))["state"]
    answer = await browser.get(
        "/ui/account/callback", params={"error": "login_required", "state": state, "iss": ISSUER}
    )

    assert answer.status_code == 303
    assert "prompt" not in query_of(answer)


async def test_a_session_ends_with_its_access_token(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """Wherever the person signed out, the next page leads to the sign-in, and the cookie is of no use any more."""
    await console.sign_in(browser, "/ui/account")
    copied = {"Cookie": "; ".join(f"{name}={value}" for name, value in browser.cookies.items())}
    console.provider.active.clear()
    ended = await browser.get("/ui/account")
    console.provider.active.add("at-1")
    async with console.browser() as other:
        again = await other.get("/ui/account", headers=copied)

    assert ended.headers["location"].startswith(f"{ISSUER}/oauth/v2/authorize?")
    assert again.status_code == 303


@pytest.mark.parametrize(("idle", "status"), [(1_799, 200), (1_801, 303)])
async def test_a_session_idles_out(
    console: ConsoleService, browser: httpx.AsyncClient, clock: FrozenClock, idle: int, status: int
) -> None:
    """After half an hour without a request the person signs in again."""
    console.provider.seconds = 100_000
    await console.sign_in(browser, "/ui/account")
    clock.tick(idle)

    assert (await browser.get("/ui/account")).status_code == status


async def test_a_session_ends_after_eight_hours_of_use(
    console: ConsoleService, browser: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """A session ends after eight hours, however busy it is."""
    console.provider.seconds = 100_000
    await console.sign_in(browser, "/ui/account")
    seen = []
    for _ in range(25):
        clock.tick(1_200)
        seen.append((await browser.get("/ui/account")).status_code)

    assert seen == [200] * 23 + [303, 303]


async def test_signing_out_ends_both_sessions(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The session here is ended first, and the browser is led to the end_session endpoint with the ID token."""
    await console.sign_in(browser, "/ui/account")
    page = await browser.get("/ui/account")
    csrf = page.text.split('name="csrf" value="')[1].split('"')[0]
    out = await browser.post("/ui/account/sign-out", data={"csrf": csrf})
    query = query_of(out)

    assert out.headers["location"].startswith(f"{ISSUER}/oidc/v1/end_session?")
    assert query["post_logout_redirect_uri"] == f"{ISSUER}/ui/account/signed-out"
    assert query["id_token_hint"].count(".") == 2
    assert (await browser.get("/ui/account")).status_code == 303


@pytest.mark.parametrize(
    ("data", "headers"),
    [
        ({"csrf": "wrong"}, {}),
        ({"other": "x"}, {}),
        ({"csrf": "right"}, {"Origin": "https://evil.example"}),
        ({"csrf": "right"}, {"Sec-Fetch-Site": "cross-site"}),
        ({"csrf": "right"}, {"Sec-Fetch-Site": "same-site"}),
    ],
)
async def test_a_form_of_another_page_changes_nothing(
    console: ConsoleService, browser: httpx.AsyncClient, data: dict[str, str], headers: dict[str, str]
) -> None:
    """Without the token of the session, or from another origin, a form is refused and the session stays."""
    await console.sign_in(browser, "/ui/account")
    page = await browser.get("/ui/account")
    right = page.text.split('name="csrf" value="')[1].split('"')[0]
    sent = {name: right if value == "right" else value for name, value in data.items()}
    answer = await browser.post("/ui/account/sign-out", data=sent, headers=headers)

    assert answer.status_code == 403
    assert (await browser.get("/ui/account")).status_code == 200


async def test_a_session_of_one_application_is_none_of_the_other(
    console: ConsoleService, browser: httpx.AsyncClient
) -> None:
    """The two are clients of their own; a handle of one in the cookie of the other is unknown."""
    await console.sign_in(browser, "/ui/account")
    [(name, handle)] = [(one, value) for one, value in browser.cookies.items() if "sign-in" not in one]
    async with console.browser() as other:
        response = await other.get("/ui/console", headers={"Cookie": f"{name.replace('account', 'console')}={handle}"})

    assert response.status_code == 303


async def test_pages_may_load_nothing_of_others(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """One script, one stylesheet, no frame around it, nothing inline, and no page is stored (AZ-08, AZ-17)."""
    await console.sign_in(browser, "/ui/account")
    page = await browser.get("/ui/account")
    policy = page.headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert f"script-src {ISSUER}/ui/console/static/console.js;" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["cross-origin-opener-policy"] == "same-origin"
    assert " style=" not in page.text
    assert "<style" not in page.text


async def test_a_browser_that_begins_many_sign_ins_has_few_cookies(browser: httpx.AsyncClient) -> None:
    """A header of cookies that grows without end would be refused by the gateway, for every page of the issuer."""
    sizes = []
    for number in range(40):
        await browser.get(f"/ui/console/all?q={number}", follow_redirects=False)
        await browser.get(f"/ui/account?tab={'x' * 3_000}", follow_redirects=False)
        sizes.append(sum(len(name) + len(value) + 3 for name, value in browser.cookies.items()))

    assert max(sizes) < 5_000


async def test_a_script_is_not_sent_to_sign_in(browser: httpx.AsyncClient) -> None:
    """It could not follow, and would only leave cookies behind: 401 ends its requests."""
    answer = await browser.get("/ui/console/all", headers={"Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin"})

    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
