"""Bad input at the protocol endpoints: refused with a proper error, never with an internal error, a hang or an
open redirect.
"""

from __future__ import annotations

import asyncio
import base64
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from portico_contracts.http import GATEWAY
from portico_scenarios.attacker import FORM, Attacker, error_in
from portico_scenarios.bad_values import MARKUP, RAW, SHAPES, VALUES
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("unharmed")]

AUTHORIZE = (
    *("client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code_challenge"),
    *("code_challenge_method", "prompt", "max_age", "id_token_hint", "login_hint", "claims", "ui_locales"),
    *("claims_locales", "acr_values", "display", "request", "request_uri"),
)
TOKEN = (
    *("grant_type", "code", "redirect_uri", "code_verifier", "client_id", "client_secret", "client_assertion"),
    *("client_assertion_type", "scope", "refresh_token", "assertion"),
)
WITH_EVERY_VALUE = ("state", "code")


def broken(name: str, number: int) -> tuple[tuple[str, ...], list[str]]:
    """Returns raw values and shapes for a parameter: all, or some, which differ by its number."""
    if name in WITH_EVERY_VALUE:
        return RAW, [shape.format(name=name) for shape in SHAPES]
    return RAW[number % 7 :: 7], [shape.format(name=name) for shape in SHAPES[number % 3 :: 3]]


ENDPOINTS = ("token_endpoint", "introspection_endpoint", "revocation_endpoint")


async def test_bad_values_at_the_authorization_endpoint(attacker: Attacker) -> None:
    """Any value gives a page or a response to the registered redirect URI (RX-12, AZ-07, AZ-14, P10)."""
    wrong = {}
    for number, name in enumerate(AUTHORIZE):
        without = attacker.authorize(**{name: None})
        values = VALUES if name in WITH_EVERY_VALUE else ()
        raw, shapes = broken(name, number)
        urls = [
            *(attacker.authorize(**{name: value}) for value in values),
            *(f"{without}&{name}={value}" for value in raw),
            *(f"{without}&{shape}" for shape in shapes),
        ]
        answers = await asyncio.gather(*(attacker.ask("GET", url) for url in urls))
        expected = {400} if name in ("client_id", "redirect_uri") else {303, 400}
        if not (statuses := {answer.status_code for answer in answers}) <= expected:
            wrong[name] = statuses

    assert wrong == {}


async def test_state_is_returned_unchanged(attacker: Attacker) -> None:
    """The state is returned byte for byte in all three response modes and never becomes a header or markup (AZ-07)."""
    for payload in (*MARKUP, "é\u202e\U0001f600", "a b+c%20d", "a\r\nX-Evil: 1", "&error=none#x"):
        for mode in ("query", "fragment", "form_post"):
            answer = await attacker.ask("GET", attacker.authorize(state=payload, prompt="none", response_mode=mode))
            if mode == "form_post":
                assert payload not in answer.text or not set("<>\"'") & set(payload), payload
                assert "login_required" in answer.text, payload
            else:
                parts = urlsplit(answer.headers["location"])
                states = parse_qs(parts.query or parts.fragment, keep_blank_values=True)["state"]
                assert states == [payload], mode


SPOILERS: list[dict[str, str | None]] = [
    {"scope": "nonsense"},
    {"response_type": "token"},
    {"prompt": "none"},
    {"response_mode": "form_post"},
]
UNPROVEN: list[dict[str, str | None]] = [
    {"client_id": "nobody"},
    {"client_id": None},
    {"redirect_uri": "https://evil.example.test/cb"},
    {"redirect_uri": None},
]
SCRIPTS = (
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "blob:x",
    "file:///etc/passwd",
)


async def test_no_redirect_before_redirect_uri_is_validated(attacker: Attacker) -> None:
    """An unknown client or redirect URI gets a page without Location, whatever else is wrong (AZ-06, AZ-09)."""
    wrong = [{**who, **what} for who in UNPROVEN for what in SPOILERS]
    wrong += [{"redirect_uri": script} for script in SCRIPTS]
    answers = await asyncio.gather(*(attacker.ask("GET", attacker.authorize(**changes)) for changes in wrong))

    for changes, answer in zip(wrong, answers, strict=True):
        assert answer.status_code == 400, changes
        assert "location" not in answer.headers, changes
        assert 'id="error-page"' in answer.text, changes
        assert "javascript:" not in answer.text.lower(), changes


async def test_bad_values_at_the_token_endpoint(attacker: Attacker) -> None:
    """Any value, well-encoded or not, is refused with an error code of RFC 6749 (RX-12, TK-17, TK-19)."""
    good = {"grant_type": "authorization_code", "code": "00" + "a" * 43, "redirect_uri": attacker.redirect_uri}
    url, wrong = attacker.endpoint("token_endpoint"), {}
    for number, name in enumerate(TOKEN):
        rest = urlencode({key: value for key, value in good.items() if key != name})
        values = VALUES if name in WITH_EVERY_VALUE else ()
        raw, shapes = broken(name, number)
        bodies = [*(f"{rest}&{name}={quote(value)}" for value in values)]
        bodies += [f"{rest}&{name}={value}" for value in raw]
        bodies += [f"{rest}&{name}=x&{name}=x", *(f"{rest}&{shape}" for shape in shapes)]
        headers = {} if "client" in name else {"Authorization": attacker.basic()}
        answers = await asyncio.gather(*(attacker.post(url, body, **headers) for body in bodies))
        statuses = {answer.status_code for answer in answers}
        members = {*(member for answer in answers for member in answer.json())}
        if not statuses <= {400, 401} or members != {"error", "error_description"}:
            wrong[name] = (statuses, members)

    assert wrong == {}


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


HEADERS = [
    *("Basic", "Basic !!!", "Basic YTpi====", "Basic YTp", "Basic\tYTpi", "Basic YTpi YTpi", "Basic YTpi, Basic YTpi"),
    *("Digest x", "Negotiate x", "Bearer x", "YTpi"),
    *("Basic " + _b64(pair) for pair in (b"nocolon", b":", b":x", b"\xff\xfe:x", b"a\x00b:x", b"a:\x01", b"%zz:%")),
    *("Basic " + _b64(pair) for pair in (b"%ff:x", b"%00:x", b"a" * 10_000 + b":x", "é:é".encode("latin-1"))),
]


async def test_malformed_client_credentials_are_invalid_client(attacker: Attacker) -> None:
    """Malformed Basic credentials get 401 with a challenge at all three endpoints (TK-17)."""
    asked = [(attacker.endpoint(endpoint), header) for endpoint in ENDPOINTS for header in HEADERS]
    answers = await asyncio.gather(
        *(attacker.post(url, "grant_type=authorization_code&token=x", Authorization=header) for url, header in asked)
    )

    for (url, header), answer in zip(asked, answers, strict=True):
        assert answer.status_code == 401, (url, header, answer.text)
        assert answer.json()["error"] == "invalid_client", (url, header)
        assert answer.headers["www-authenticate"].startswith("Basic "), (url, header)


def _jwt(header: bytes, payload: bytes = b"{}") -> str:
    parts = (header, payload, b"s" * 64)
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


JOSE = {
    "dots": "." * 16_000,
    "segments": "a." * 8_000,
    "none": _jwt(b'{"alg":"none","typ":"JWT"}'),
    "deep header": _jwt(b'{"a":' * 3_000),
    "deep payload": _jwt(b'{"alg":"RS256","typ":"JWT"}', b"[" * 9_000),
    "long kid": _jwt(b'{"alg":"RS256","typ":"JWT","kid":"' + b"k" * 9_000 + b'"}'),
    "surrogate": _jwt(b'{"alg":"RS256","typ":"JWT","kid":"\\ud800"}'),
    "NUL": _jwt(b'{"alg":"RS256","typ":"JWT","kid":"a\\u0000b"}'),
    "types": _jwt(b'{"alg":["RS256"],"typ":{},"kid":[1]}', b'{"iss":{"$ne":1},"exp":1e999}'),
    "number": _jwt(b'{"alg":"RS256","typ":"JWT"}', b'{"exp":' + b"9" * 5_000 + b"}"),
    "JWE": _jwt(b'{"alg":"dir","enc":"A256GCM","zip":"DEF"}') + ".a.b",
    "PBES2": _jwt(b'{"alg":"PBES2-HS256+A128KW","p2c":2147483648}') + ".a.b",
}


async def test_oversized_token_is_refused_early(attacker: Attacker) -> None:
    """An oversized token in any parameter or header is refused before any work (JW-16, JW-17, RX-05)."""
    wrong = {what: got for what, token in JOSE.items() if (got := await _refusals(attacker, token)) != REFUSALS}

    assert wrong == {}


REFUSALS = ["login_required", (400, "invalid_grant"), (401, "invalid_client"), 401, (200, {"active": False})]


async def _refusals(attacker: Attacker, token: str) -> list[object]:
    metadata = attacker.world.metadata
    assertion = {"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "scope": "openid", "assertion": token}
    proof = {"client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", "token": "x"}
    hint = await attacker.ask("GET", attacker.authorize(id_token_hint=token, prompt="none"))
    granted = await attacker.post(metadata["token_endpoint"], urlencode(assertion))
    proven = await attacker.post(metadata["introspection_endpoint"], urlencode({**proof, "client_assertion": token}))
    bearer = await attacker.ask("GET", metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {token}"})
    inactive = await attacker.post(
        metadata["introspection_endpoint"], urlencode({"token": token}), Authorization=attacker.basic()
    )
    refused = [(answer.status_code, answer.json()["error"]) for answer in (granted, proven)]
    return [error_in(hint), *refused, bearer.status_code, (inactive.status_code, inactive.json())]


NAMES = st.sampled_from((*AUTHORIZE, *TOKEN, "token", "access_token", "request", "csrf", "step", "password"))
TEXTS = st.one_of(st.sampled_from(VALUES), st.text(max_size=40))
FIELDS = st.lists(st.tuples(NAMES, TEXTS), max_size=8)
PLACES = st.sampled_from([route.path.replace("*", "something") for route in GATEWAY])


@settings(max_examples=50, suppress_health_check=list(HealthCheck))
@given(method=st.sampled_from(("GET", "POST")), path=PLACES, query=FIELDS, form=FIELDS)
async def test_random_requests_are_answered(
    world: World, method: str, path: str, query: list[tuple[str, str]], form: list[tuple[str, str]]
) -> None:
    """Random parameters at any path never cause a server error or a response without security headers (RX-12)."""
    encoded, body = (urlencode(fields, errors="replace") for fields in (query, form))
    content = {"content": body, "headers": {"Content-Type": FORM}} if method == "POST" else {}
    await Attacker(world).ask(method, f"{path}?{encoded}", **content)
