from __future__ import annotations

import pytest
from portico_contracts import http
from portico_contracts.login_logout import Logout
from portico_contracts.subjects import decode
from portico_contracts.users import ClientKind
from portico_fakes.authz_logouts import (
    GOODBYE,
    assert_error_page,
    hint_of,
    logout_in,
    sign_in,
    with_goodbyes,
)
from portico_fakes.authz_service import ADA, CALLBACK, ISSUER, AuthzService, FakeBrowser
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return with_goodbyes(AuthzService(clock, bus))


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


WRONG_URIS = [
    f"{GOODBYE}/", f"{GOODBYE}?", f"{GOODBYE}#", f"{GOODBYE}?x=1", "https://app.example.test/GOODBYE", f" {GOODBYE}",
    "https://APP.example.test/goodbye", "http://app.example.test/goodbye", "https://app.example.test:443/goodbye",
    "https://other.example.test/bye", "https://evil.test/", "//evil.test", "/goodbye", "javascript:alert(1)", "*",
    "https://app.example.test@evil.test/goodbye", CALLBACK, f"{GOODBYE}\r\nX: 1",
]  # fmt: skip


@pytest.mark.parametrize("uri", WRONG_URIS)
async def test_unregistered_uri_is_never_redirected_to(authz: AuthzService, browser: FakeBrowser, uri: str) -> None:
    """The URI must match the client's registered one exactly, and otherwise no session ends (IR-10)."""
    hint = await sign_in(authz, browser)
    for who in ({"id_token_hint": hint}, {"client_id": "web"}):
        response = await browser.end_session(post_logout_redirect_uri=uri, **who)
        assert_error_page(response, "AUTHZ-054")
        assert uri not in response.text

    assert authz.peers.revoked == []


@pytest.mark.parametrize("uri", ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "vbscript:x"])
async def test_registered_script_scheme_is_refused(authz: AuthzService, browser: FakeBrowser, uri: str) -> None:
    """A forbidden scheme is rejected again when it is used (AZ-06)."""
    authz.peers.register("evil", post_logout_redirect_uris=(uri,))

    assert_error_page(await browser.end_session(client_id="evil", post_logout_redirect_uri=uri), "AUTHZ-054")


@pytest.mark.parametrize("uri", [GOODBYE, "https://evil.test/", "javascript:alert(1)"])
async def test_redirect_uri_without_client_is_never_used(authz: AuthzService, browser: FakeBrowser, uri: str) -> None:
    """The page asks, registered or not, and stays here (oidcc-rp-initiated-logout-no-id-token-hint)."""
    await sign_in(authz, browser)
    id = logout_in(await browser.end_session(post_logout_redirect_uri=uri, state="x"))
    shown = await browser.get_logout(id)
    before = list(authz.peers.revoked)
    done = decode((await browser.confirm_logout(id, shown.csrf)).content, Logout)

    assert (shown.stays, shown.client_name, shown.return_uri, before) == (True, "", "", [])
    assert (done.continue_to, done.return_uri) == (f"{http.LOGGED_OUT}?stays=1", "")
    assert len(authz.peers.revoked) == 1


@pytest.mark.parametrize("uri", [GOODBYE, "https://evil.test/"])
async def test_redirect_uri_without_client_or_session(authz: AuthzService, browser: FakeBrowser, uri: str) -> None:
    """The page that shows the sign-out has the reason, without a cookie and without a session."""
    without = await browser.end_session(post_logout_redirect_uri=uri)
    await browser.begin()
    unsigned = await browser.end_session(post_logout_redirect_uri=uri)

    for response in (without, unsigned):
        assert (response.status_code, response.headers["location"]) == (302, f"{http.LOGGED_OUT}?stays=1")


async def test_hint_of_another_issuer_is_refused(authz: AuthzService, browser: FakeBrowser) -> None:
    """A hint with a foreign key, another issuer or type, alg none or malformed text is refused (IR-10, P7)."""
    hint = await sign_in(authz, browser)
    header, body, _signature = hint.split(".")
    foreign = AuthzService(FrozenClock(), MemoryBus())
    bad = [
        hint_of(foreign), hint_of(authz, iss="https://evil.test"), hint_of(authz, sub=7),
        authz.peers.sign({"iss": ISSUER, "sub": ADA.user_id, "azp": "web"}, typ="at+jwt"),
        hint_of(authz, events={}), f"{hint[:-6]}AAAAAA", f"{header}.{body}.", "x", "a.b.c", "x" * 20_000,
        "eyJhbGciOiJub25lIn0." + body + ".",
    ]  # fmt: skip
    for one in bad:
        assert_error_page(await browser.end_session(id_token_hint=one), "AUTHZ-050")
        assert_error_page(
            await browser.end_session(id_token_hint=one, client_id="web", post_logout_redirect_uri=GOODBYE), "AUTHZ-050"
        )

    assert authz.peers.revoked == []


async def test_client_id_and_hint_must_agree(authz: AuthzService, browser: FakeBrowser) -> None:
    hint = await sign_in(authz, browser)
    no_azp = authz.peers.sign({"iss": ISSUER, "sub": ADA.user_id})
    assert_error_page(await browser.end_session(id_token_hint=hint, client_id="other"), "AUTHZ-051")
    assert_error_page(await browser.end_session(id_token_hint=no_azp, client_id="web"), "AUTHZ-051")

    equal = await browser.end_session(id_token_hint=hint, client_id="web", post_logout_redirect_uri=GOODBYE)
    assert equal.headers["location"] == GOODBYE


async def test_unknown_client_is_refused(authz: AuthzService, browser: FakeBrowser) -> None:
    """Unknown, inactive and API applications get the same error (P9, P10)."""
    authz.peers.register("api", kind=ClientKind.API, post_logout_redirect_uris=(GOODBYE,))
    for client_id in ("nobody", "api", "x" * 300):
        assert_error_page(await browser.end_session(client_id=client_id), "AUTHZ-052")
        assert_error_page(await browser.end_session(client_id=client_id, post_logout_redirect_uri=GOODBYE), "AUTHZ-052")


async def test_hint_of_a_deleted_application_signs_out(authz: AuthzService, browser: FakeBrowser) -> None:
    """The session ends, and only the redirect is unavailable, because the application is unknown."""
    hint = await sign_in(authz, browser)
    del authz.peers.clients["web"]
    deleted = hint_of(authz, azp="gone")
    pending = await authz.stores.logouts.find(
        logout_in(await browser.end_session(id_token_hint=deleted, post_logout_redirect_uri=GOODBYE))
    )

    assert pending is not None
    assert (pending.stays, pending.post_logout_redirect_uri) == (True, "")
    assert logout_in(await browser.end_session(id_token_hint=deleted))
    assert (await browser.end_session(id_token_hint=hint)).headers["location"] == http.LOGGED_OUT


REPEATABLE = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state", "ui_locales", "logout_hint"]


@pytest.mark.parametrize("name", REPEATABLE)
async def test_repeated_parameter_is_refused(authz: AuthzService, browser: FakeBrowser, name: str) -> None:
    """A repeated parameter of a logout is refused (AZ-04)."""
    await sign_in(authz, browser)
    got = await browser.get(http.END_SESSION, [(name, "1"), (name, "1")])
    posted = await browser.post(f"{http.END_SESSION}?{name}=1", {name: "1"})

    assert_error_page(got, "OAUTH-001")
    assert_error_page(posted, "OAUTH-001")


async def test_invalid_or_expired_post_gets_a_page(browser: FakeBrowser, clock: FrozenClock) -> None:
    assert_error_page(await browser.post(http.END_SESSION, {"id_token_hint": "x"}), "AUTHZ-050")
    posted = await browser.post(http.END_SESSION, {"state": "x"})
    clock.tick(300)

    assert_error_page(await browser.get(posted.headers["location"]), "AUTHZ-055", 404)


async def test_other_methods_are_refused(browser: FakeBrowser) -> None:
    assert (await browser.http.put(http.END_SESSION)).status_code == 405
    assert_error_page(await browser.http.post(http.END_SESSION, json={}), "WEB-001", 415)
