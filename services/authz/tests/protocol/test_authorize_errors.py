from __future__ import annotations

import re
from itertools import product

import pytest
from portico_contracts import http
from portico_contracts.users import AuthMethod
from portico_fakes.authz_service import CALLBACK, ISSUER, AuthzService, Landing, authorize_parameters
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_harness.rows import row

CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
DESCRIPTION = re.compile(r"[\x20-\x21\x23-\x5b\x5d-\x7e]+\Z")

ERRORS: list[tuple[str, dict[str, str | None]]] = [
    ("invalid_request", {"response_type": None}),
    ("invalid_request", {"response_type": ""}),
    ("unsupported_response_type", {"response_type": "nope"}),
    ("unsupported_response_type", {"response_type": "code id_token"}),
    ("unsupported_response_type", {"response_type": "CODE"}),
    ("unsupported_response_type", {"response_type": "code code"}),
    ("invalid_scope", {"scope": None}),
    ("invalid_scope", {"scope": ""}),
    ("invalid_scope", {"scope": "email profile"}),
    ("invalid_scope", {"scope": "OpenID"}),
    ("invalid_scope", {"scope": " "}),
    ("invalid_scope", {"scope": "openid \u00fcml\u00e4ut"}),
    ("invalid_scope", {"scope": "openid " + "x" * 5000}),
    ("invalid_scope", {"scope": "openid urn:portico:org:id:1 urn:portico:org:id:2"}),
    ("invalid_request", {"nonce": "n" * 1_025}),
    ("request_not_supported", {"request": "eyJhbGciOiJub25lIn0.e30."}),
    ("request_uri_not_supported", {"request_uri": "https://app.example.test/r"}),
    ("invalid_request", {"prompt": "none login"}),
    ("invalid_request", {"prompt": "login none consent"}),
    ("invalid_request", {"prompt": "sudo"}),
    ("invalid_request", {"prompt": "LOGIN"}),
    ("invalid_request", {"prompt": "none create"}),
    ("login_required", {"prompt": "none"}),
    ("login_required", {"prompt": "none", "id_token_hint": "not-a-token"}),
    ("invalid_request", {"claims": "not json"}),
    ("invalid_request", {"claims": "[]"}),
    ("invalid_request", {"claims": '{"userinfo": {"name": "yes"}}'}),
    ("invalid_request", {"claims": '{"id_token": {"acr": {"essential": "yes"}}}'}),
    ("invalid_request", {"claims": '{"id_token":{"a":{"value":' + "[" * 1900 + "]" * 1900 + "}}}"}),
    ("invalid_request", {"claims": '{"id_token":{"a":{"value":' + "[" * 100 + "]" * 100 + "}}}"}),
    ("invalid_request", {"claims": '{"userinfo": {"\\ud800": null}}'}),
    ("invalid_request", {"claims": '{"id_token": {"sub": {"value": 1}}}'}),
    ("invalid_request", {"claims": '{"id_token": {"sub": {"value": ""}}}'}),
    ("invalid_request", {"claims": '{"id_token": {"sub": {"value": "u-ada"}, "sub": {"value": "u-bob"}}}'}),
    ("invalid_request", {"claims": '{"userinfo": {"' + "n" * 5000 + '": null}}'}),
    ("invalid_request", {"code_challenge": CHALLENGE}),
    ("invalid_request", {"code_challenge_method": "S256"}),
    ("invalid_request", {"code_challenge": CHALLENGE, "code_challenge_method": "plain"}),
    ("invalid_request", {"code_challenge": CHALLENGE, "code_challenge_method": "s256"}),
    ("invalid_request", {"code_challenge": CHALLENGE, "code_challenge_method": "S512"}),
    ("invalid_request", {"code_challenge": CHALLENGE[:-1], "code_challenge_method": "S256"}),
    ("invalid_request", {"code_challenge": f"{CHALLENGE}=", "code_challenge_method": "S256"}),
    ("invalid_request", {"code_challenge": CHALLENGE.replace("-", "+"), "code_challenge_method": "S256"}),
]
NONSENSE_AGES = ["-1", "1.5", "1e3", "NaN", str(2**63), "9" * 40, "\uff11\uff12", " 1", "0x10", "+1"]
ERRORS += [("invalid_request", {"max_age": text}) for text in NONSENSE_AGES]

REPEATABLE = [
    "response_type", "response_mode", "scope", "state", "nonce", "code_challenge", "code_challenge_method", "prompt",
    "max_age", "id_token_hint", "login_hint", "claims", "ui_locales", "claims_locales", "acr_values", "display",
    "request", "request_uri",
]  # fmt: skip


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


async def test_error_is_redirected_to_the_application(authz: AuthzService) -> None:
    """Each error redirect has exactly error, error_description, state and iss (AZ-15, conformance §1)."""
    for error, changes in ERRORS:
        landing = Landing(await authz.browser().authorize(**changes))

        assert landing.response.status_code == 303, changes
        assert landing.response.headers["location"].startswith(f"{CALLBACK}?"), changes
        assert landing.response.headers["cache-control"] == "no-store", changes
        description = landing.query.get("error_description", "")
        expected = {"error": error, "error_description": description, "state": "st-1", "iss": ISSUER}
        assert landing.query == expected, changes
        assert DESCRIPTION.match(description), changes


async def test_repeated_parameter_is_refused(authz: AuthzService) -> None:
    """Client and redirect_uri are verified, so the error about a repeated parameter is redirected (AZ-04)."""
    for name, second in product(REPEATABLE, ("same", "other", "empty")):
        with row(name, second):
            values = authorize_parameters()
            values.setdefault(name, "query" if name == "response_mode" else "1")
            again = {"same": values[name], "other": "zzz", "empty": ""}[second]
            landing = Landing(await authz.browser().get(http.AUTHORIZE, [*values.items(), (name, again)]))

            assert landing.response.status_code == 303
            assert (landing.query["error"], landing.query["state"]) == ("invalid_request", "st-1")


async def test_unknown_response_mode_is_refused_in_the_fragment(authz: AuthzService) -> None:
    landing = Landing(await authz.browser().authorize(response_mode="web_message"))

    assert landing.query == {}
    assert landing.fragment["error"] == "invalid_request"


async def test_errors_use_the_requested_response_mode(authz: AuthzService) -> None:
    """Errors use the response mode of the successful response (Conformance §3.2)."""
    browser = authz.browser()
    fragment = Landing(await browser.authorize(scope="email", response_mode="fragment"))
    posted = await browser.authorize(scope="email", response_mode="form_post")

    assert fragment.fragment["error"] == "invalid_scope"
    assert posted.status_code == 200
    assert f'action="{CALLBACK}"' in posted.text
    assert 'name="error" value="invalid_scope"' in posted.text
    assert f'name="iss" value="{ISSUER}"' in posted.text


async def test_error_names_commas_in_the_scope(authz: AuthzService) -> None:
    """Some client libraries join the words with commas unless configured otherwise."""
    described = {
        scope: Landing(await authz.browser().authorize(scope=scope)).query["error_description"]
        for scope in ("openid,profile,email", "openid, profile", "profile,email", "profile email", "myopenid,profile")
    }

    assert ["commas" in text for text in described.values()] == [True, True, False, False, False], described


async def test_error_without_response_type_uses_the_query(authz: AuthzService) -> None:
    """An error about a missing response_type uses the query unless form_post was requested
    (oidcc-response-type-missing).
    """
    browser = authz.browser()
    plain = Landing(await browser.authorize(response_type=None))
    posted = await browser.authorize(response_type=None, response_mode="form_post")

    assert plain.query["error"] == "invalid_request"
    assert 'name="error" value="invalid_request"' in posted.text


async def test_response_type_not_allowed_for_the_client(authz: AuthzService) -> None:
    """The error is unauthorized_client if the client may not use the response type."""
    authz.peers.register("no-code", response_types=("id_token",))
    authz.peers.register("no-grant", grant_types=("refresh_token",))
    for client_id in ("no-code", "no-grant"):
        landing = Landing(await authz.browser().authorize(client_id=client_id))

        assert landing.query["error"] == "unauthorized_client"


async def test_public_client_must_send_a_challenge(authz: AuthzService) -> None:
    """A client with method none must send a challenge with an explicit S256 (TK-06)."""
    authz.peers.register("spa", auth_method=AuthMethod.NONE)
    browser = authz.browser()
    missing = Landing(await browser.authorize(client_id="spa"))
    plain = Landing(await browser.authorize(client_id="spa", code_challenge=CHALLENGE))
    right = await browser.authorize(client_id="spa", code_challenge=CHALLENGE, code_challenge_method="S256")

    assert missing.query["error"] == plain.query["error"] == "invalid_request"
    assert right.headers["location"].startswith(http.LOGIN)


async def test_redirect_uri_retains_its_query(authz: AuthzService) -> None:
    """The query of a registered redirect URI is retained (RFC 6749 §3.1.2)."""
    landing = Landing(await authz.browser().authorize(redirect_uri=f"{CALLBACK}?keep=1", prompt="none"))

    assert landing.query["keep"] == "1"
    assert landing.query["error"] == "login_required"


STATES = [
    "a" * 128,
    "-._~" * 32,
    "<script>alert(1)</script>",
    "a\r\nSet-Cookie: x=1",
    "a b+c&d=e#f?g%20h",
    "\u00fc\u4f60\U0001f600",
    "'\"><svg onload=1>",
    "{{7*7}}${7*7}",
    "../../%2e%2e",
]


async def test_state_is_returned_unchanged(authz: AuthzService) -> None:
    """The decoded state is identical in every response mode and cannot inject a header (AZ-07)."""
    browser = authz.browser()
    for state in STATES:
        with row(state):
            query = Landing(await browser.authorize(state=state, prompt="none"))
            fragment = Landing(await browser.authorize(state=state, prompt="none", response_mode="fragment"))
            posted = await browser.authorize(state=state, prompt="none", response_mode="form_post")

            assert query.query["state"] == fragment.fragment["state"] == state
            cookies = query.response.headers.get_list("set-cookie")
            assert not any(cookie.startswith("x=") for cookie in cookies)
            assert "<script>alert" not in posted.text
            assert "<svg" not in posted.text


async def test_empty_state_is_not_returned(authz: AuthzService) -> None:
    landing = Landing(await authz.browser().authorize(state="", prompt="none"))

    assert "state" not in landing.query


IGNORED: list[dict[str, str]] = [
    {"extra": "foobar"},
    {"display": "popup"},
    {"ui_locales": "se"},
    {"claims_locales": "se"},
    {"acr_values": "1 2"},
    {"login_hint": "x" * 5000},
    {"ui_locales": "-" * 10_000},
    {"id_token_hint": "not-a-token"},
    {"prompt": "consent"},
    {"prompt": "select_account"},
    {"prompt": "create"},
    {"prompt": "login select_account consent"},
    {"max_age": "0"},
    {"claims": '{"userinfo": {"name": {"essential": true}}, "other": 1}'},
    {"scope": "openid unknown:scope email"},
    {"scope": " openid  email "},
    {"prompt": " login  consent "},
    {"prompt": " "},
    {"response_type": "code "},
    {"registration": "{}"},
    {"nonce": "n" * 384},
]


async def test_optional_parameters_are_ignored(authz: AuthzService) -> None:
    """Unknown parameters, hints and locales do not fail the request (AZ-19)."""
    for extra in IGNORED:
        response = await authz.browser().authorize(**extra)

        assert response.status_code == 303, extra
        assert response.headers["location"].startswith(f"{http.LOGIN}?request="), extra


async def test_unknown_parameter_may_be_repeated(authz: AuthzService) -> None:
    response = await authz.browser().get(http.AUTHORIZE, [*authorize_parameters().items(), ("x", "1"), ("x", "2")])

    assert response.headers["location"].startswith(http.LOGIN)
