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
    """Returns the parameters of a redirect."""
    return dict(parse_qsl(urlsplit(response.headers["location"]).query))


@pytest.mark.parametrize(("path", "client_id"), APPLICATIONS)
async def test_page_without_session_redirects_to_authorization(
    browser: httpx.AsyncClient, path: str, client_id: str
) -> None:
    """The request has code, PKCE with S256, nonce, state and the API's audience, without offline access."""
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
async def test_trailing_slash_redirects_to_the_page(browser: httpx.AsyncClient, path: str, _client_id: str) -> None:
    """The redirect keeps the query, and a form is not repeated (AZ-16)."""
    plain, with_query = await browser.get(f"{path}/"), await browser.get(f"{path}/?tab=keys")
    form = await browser.post(f"{path}/", data={"csrf": "x"})

    assert [plain.status_code, plain.headers["location"]] == [308, path]
    assert with_query.headers["location"] == f"{path}?tab=keys"
    assert form.status_code == 405


async def test_sign_in_returns_to_the_requested_page(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The browser returns to path and query with a session cookie that scripts cannot read."""
    done = await console.sign_in(browser, "/ui/account?tab=keys")
    cookies = done.headers.get_list("set-cookie")
    page = await browser.get("/ui/account")

    assert done.headers["location"] == "/ui/account?tab=keys"
    assert any(one.startswith("__Host-portico-account-") and "HttpOnly; SameSite=Lax; Secure" in one for one in cookies)
    assert page.status_code == 200
    assert 'id="account-heading"' in page.text


async def test_client_authenticates_by_private_key_jwt(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The assertion has the issuer as audience, one minute of life, a unique jti and the client's key id."""
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
async def test_callback_of_another_flow_is_refused(
    console: ConsoleService, browser: httpx.AsyncClient, change: dict[str, str]
) -> None:
    """Without this browser's state, or from another issuer, no code is redeemed (RFC 9207, RFC 6749 §10.12)."""
    begun = await browser.get("/ui/console")
    parameters = dict(parse_qsl(urlsplit(console.provider.authorize(begun.headers["location"])).query)) | change
    answer = await browser.get("/ui/console/callback", params=parameters)

    assert answer.status_code == 400
    assert "CONS-101" in answer.text
    assert console.provider.forms == []


async def test_callback_in_another_browser_is_refused(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """Login CSRF is prevented, because a callback opened by a victim signs no user in."""
    begun = await browser.get("/ui/console")
    async with console.browser() as victim:
        answer = await victim.get(console.provider.authorize(begun.headers["location"]))

    assert answer.status_code == 400
    assert console.provider.forms == []


async def test_expired_sign_in_starts_again(
    console: ConsoleService, browser: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """After half an hour the sealed cookie is refused, whatever its age in the browser."""
    begun = await browser.get("/ui/console")
    clock.tick(1_801)
    answer = await browser.get(console.provider.authorize(begun.headers["location"]))

    assert "CONS-101" in answer.text


async def test_two_tabs_sign_in_independently(console: ConsoleService, browser: httpx.AsyncClient) -> None:
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
async def test_invalid_id_token_creates_no_session(
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


async def test_id_token_of_another_key_creates_no_session(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    begun = await browser.get("/ui/console")
    callback = console.provider.authorize(begun.headers["location"])
    console.provider.published, console.provider.key = console.provider.key, SigningKey.generate("k1", "RS256")
    answer = await browser.get(callback)

    assert "CONS-102" in answer.text


@pytest.mark.parametrize("error", ["access_denied", "server_error", "unmet_authentication_requirements"])
async def test_authorization_error_is_a_page(console: ConsoleService, browser: httpx.AsyncClient, error: str) -> None:
    """The page names the error and a link to retry, instead of a redirect loop."""
    state = query_of(await browser.get("/ui/console"))["state"]
    answer = await browser.get("/ui/console/callback", params={"error": error, "state": state, "iss": ISSUER})

    assert answer.status_code == 403
    assert "CONS-104" in answer.text
    assert 'href="/ui/console"' in answer.text


async def test_session_is_renewed_after_half_its_token_lifetime(
    console: ConsoleService, browser: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """The redirect has prompt=none and an id_token_hint, and forms are accepted at that age."""
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


async def test_renewal_that_needs_interaction_starts_a_sign_in(
    console: ConsoleService, browser: httpx.AsyncClient, clock: FrozenClock
) -> None:
    console.provider.seconds = 3_000
    await console.sign_in(browser, "/ui/account")
    clock.tick(1_500)
    state = query_of(await browser.get("/ui/account"))["state"]
    answer = await browser.get(
        "/ui/account/callback", params={"error": "login_required", "state": state, "iss": ISSUER}
    )

    assert answer.status_code == 303
    assert "prompt" not in query_of(answer)


async def test_session_ends_with_its_access_token(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The next page redirects to the sign-in, and the cookie is invalid."""
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
async def test_session_ends_after_half_an_idle_hour(
    console: ConsoleService, browser: httpx.AsyncClient, clock: FrozenClock, idle: int, status: int
) -> None:
    console.provider.seconds = 100_000
    await console.sign_in(browser, "/ui/account")
    clock.tick(idle)

    assert (await browser.get("/ui/account")).status_code == status


async def test_session_ends_after_eight_hours_of_use(
    console: ConsoleService, browser: httpx.AsyncClient, clock: FrozenClock
) -> None:
    console.provider.seconds = 100_000
    await console.sign_in(browser, "/ui/account")
    seen = []
    for _ in range(25):
        clock.tick(1_200)
        seen.append((await browser.get("/ui/account")).status_code)

    assert seen == [200] * 23 + [303, 303]


async def test_signing_out_ends_both_sessions(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The local session ends first, and the browser is redirected to end_session with the ID token."""
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
async def test_forged_form_changes_nothing(
    console: ConsoleService, browser: httpx.AsyncClient, data: dict[str, str], headers: dict[str, str]
) -> None:
    """Without the session's token, or from another origin, a form is refused."""
    await console.sign_in(browser, "/ui/account")
    page = await browser.get("/ui/account")
    right = page.text.split('name="csrf" value="')[1].split('"')[0]
    sent = {name: right if value == "right" else value for name, value in data.items()}
    answer = await browser.post("/ui/account/sign-out", data=sent, headers=headers)

    assert answer.status_code == 403
    assert (await browser.get("/ui/account")).status_code == 200


async def test_session_belongs_to_one_application(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The console and the account page are separate clients with separate sessions."""
    await console.sign_in(browser, "/ui/account")
    [(name, handle)] = [(one, value) for one, value in browser.cookies.items() if "sign-in" not in one]
    async with console.browser() as other:
        response = await other.get("/ui/console", headers={"Cookie": f"{name.replace('account', 'console')}={handle}"})

    assert response.status_code == 303


async def test_pages_load_nothing_foreign(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """One script and one stylesheet are loaded, nothing is inline, framed or stored (AZ-08, AZ-17)."""
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


async def test_many_started_sign_ins_leave_few_cookies(browser: httpx.AsyncClient) -> None:
    """A growing cookie header would be refused by the gateway for every page of the issuer."""
    sizes = []
    for number in range(40):
        await browser.get(f"/ui/console/all?q={number}", follow_redirects=False)
        await browser.get(f"/ui/account?tab={'x' * 3_000}", follow_redirects=False)
        sizes.append(sum(len(name) + len(value) + 3 for name, value in browser.cookies.items()))

    assert max(sizes) < 5_000


async def test_script_request_gets_401_instead_of_a_redirect(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/ui/console/all", headers={"Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin"})

    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
