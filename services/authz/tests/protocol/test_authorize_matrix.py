"""Tests every parameter of the authorization endpoint with every fault in every response mode.

``pytest -s`` prints the matrix. The fault decides the error, the column the response mode.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html import unescape
from itertools import product
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from portico_contracts import http
from portico_fakes.authz_service import CALLBACK, ISSUER, AuthzService, FakeBrowser, authorize_parameters
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

Changes = dict[str, str | None]
Pairs = list[tuple[str, str]]

COLUMNS = [
    ("code", None), ("code", "query"), ("code", "fragment"), ("code", "form_post"),
    ("id_token", None), ("id_token", "fragment"), ("id_token", "form_post"),
    ("id_token token", None), ("token id_token", "fragment"), ("id_token token", "form_post"),
]  # fmt: skip
"""The requested response type and mode."""

PAGE, LOGIN = "page", "login"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
LONG = "x" * 5_000

FAULTS: dict[str, dict[str, tuple[Changes, str]]] = {
    "client_id": {
        "missing": ({"client_id": None}, PAGE),
        "empty": ({"client_id": ""}, PAGE),
        "unknown": ({"client_id": "nobody"}, PAGE),
        "too long": ({"client_id": LONG}, PAGE),
        "of no use here": ({"client_id": "poor"}, "unauthorized_client"),
    },
    "redirect_uri": {
        "missing": ({"redirect_uri": None}, PAGE),
        "not registered": ({"redirect_uri": f"{CALLBACK}/"}, PAGE),
        "another's": ({"redirect_uri": "https://evil.test/"}, PAGE),
        "script": ({"redirect_uri": "javascript:alert(1)"}, PAGE),
    },
    "scope": {
        "missing": ({"scope": None}, "invalid_scope"),
        "without openid": ({"scope": "email"}, "invalid_scope"),
        "malformed": ({"scope": "openid\temail"}, "invalid_scope"),
        "spaces": ({"scope": " openid  email "}, LOGIN),
        "too long": ({"scope": f"openid {LONG}"}, "invalid_scope"),
        "unknown word": ({"scope": "openid unknown"}, LOGIN),
        "two organizations": ({"scope": "openid urn:portico:org:id:1 urn:portico:org:id:2"}, "invalid_scope"),
    },
    "state": {
        "missing": ({"state": None}, LOGIN),
        "markup": ({"state": "<script>\"'&\r\n</script>"}, LOGIN),
        "an address": ({"state": LONG[:4_096]}, LOGIN),
        "too long": ({"state": LONG}, "invalid_request"),
    },
    "prompt": {
        "unknown": ({"prompt": "sudo"}, "invalid_request"),
        "upper case": ({"prompt": "LOGIN"}, "invalid_request"),
        "two spaces": ({"prompt": "login  consent"}, LOGIN),
        "none and another": ({"prompt": "none login"}, "invalid_request"),
        "none": ({"prompt": "none"}, "login_required"),
        "create": ({"prompt": "create"}, LOGIN),
        "all but none": ({"prompt": "login consent select_account create"}, LOGIN),
    },
    "max_age": {
        "negative": ({"max_age": "-1"}, "invalid_request"),
        "fraction": ({"max_age": "1.5"}, "invalid_request"),
        "exponent": ({"max_age": "1e3"}, "invalid_request"),
        "full width": ({"max_age": "\uff11"}, "invalid_request"),
        "too large": ({"max_age": "9" * 40}, "invalid_request"),
        "zero": ({"max_age": "0"}, LOGIN),
    },
    "id_token_hint": {
        "nonsense": ({"id_token_hint": "x"}, LOGIN),
        "nonsense, none": ({"id_token_hint": "x", "prompt": "none"}, "login_required"),
        "too long": ({"id_token_hint": LONG * 4}, LOGIN),
    },
    "claims": {
        "no JSON": ({"claims": "x"}, "invalid_request"),
        "no object": ({"claims": "[]"}, "invalid_request"),
        "wrong member": ({"claims": '{"userinfo":{"name":"yes"}}'}, "invalid_request"),
        "too long": ({"claims": '{"a":"' + LONG + '"}'}, "invalid_request"),
        "unknown member": ({"claims": '{"a":1}'}, LOGIN),
    },
    "request": {"sent": ({"request": "a.b.c"}, "request_not_supported")},
    "request_uri": {"sent": ({"request_uri": "https://x.test/r"}, "request_uri_not_supported")},
    "code_challenge": {
        "without method": ({"code_challenge": CHALLENGE}, "invalid_request"),
        "plain": ({"code_challenge": CHALLENGE, "code_challenge_method": "plain"}, "invalid_request"),
        "malformed": ({"code_challenge": "x", "code_challenge_method": "S256"}, "invalid_request"),
        "missing": ({"code_challenge_method": "S256"}, "invalid_request"),
        "right": ({"code_challenge": CHALLENGE, "code_challenge_method": "S256"}, LOGIN),
    },
    "wishes": {
        name: ({name: value}, LOGIN)
        for name, value in {
            "login_hint": LONG, "ui_locales": "- " * 3_000, "acr_values": "1 2", "display": "popup",
            "claims_locales": "se", "logout_hint": "x", "extra": "foobar",
        }.items()
    },
}  # fmt: skip

REPEATED = [
    "client_id", "redirect_uri", "scope", "state", "nonce", "prompt", "max_age", "id_token_hint", "login_hint", "claims",
    "ui_locales", "claims_locales", "acr_values", "display", "code_challenge", "code_challenge_method", "response_type",
    "request", "request_uri",
]  # fmt: skip


@pytest.fixture
def browser(clock: FrozenClock, bus: MemoryBus) -> FakeBrowser:
    authz = AuthzService(clock, bus)
    everything = ("code", "id_token", "id_token token")
    authz.peers.register("all", response_types=everything, grant_types=("authorization_code", "implicit"))
    authz.peers.register("poor", response_types=())
    return authz.browser()


def rows() -> Iterator[tuple[str, str, Pairs, str]]:
    """Yields parameter, fault, additional parameters and expected error."""
    base = authorize_parameters(client_id="all", nonce="n-1")
    for parameter, faults in FAULTS.items():
        for fault, (changes, expected) in faults.items():
            values = {**base, **changes}
            yield parameter, fault, [(name, value) for name, value in values.items() if value is not None], expected
    for name in REPEATED:
        for fault, again in (("equal twice", None), ("differs", "zzz"), ("once empty", "")):
            once = {**base, name: base.get(name, "1")}
            expected = PAGE if name in ("client_id", "redirect_uri") else "invalid_request"
            yield name, fault, [*once.items(), (name, once[name] if again is None else again)], expected


def column(pairs: Pairs, response_type: str, mode: str | None) -> Pairs:
    stored = [(name, value) for name, value in pairs if name != "response_type"]
    again = [value for name, value in pairs if name == "response_type"][1:]
    sent = [("response_type", response_type), *([("response_type", value or "") for value in again])]
    return [*stored, *sent, *([("response_mode", mode)] if mode else [])]


def outcome(response: httpx.Response, where: str, state: str | None) -> str:
    """Returns the error, after checking how it was transported."""
    assert response.headers["cache-control"] == "no-store"
    location = response.headers.get("location", "")
    if response.status_code == 303 and location.startswith(http.LOGIN):
        return LOGIN
    if response.status_code == 400:
        assert not location
        assert 'id="error-page"' in response.text
        return PAGE
    if where == "form_post":
        fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', response.text))
        answer = {name: unescape(value) for name, value in fields.items()}
        assert response.status_code == 200
    else:
        parts = urlsplit(location)
        answer = dict(parse_qsl(parts.query if where == "query" else parts.fragment))
        assert response.status_code == 303
        assert not (parts.fragment if where == "query" else parts.query)
    assert set(answer) == {"error", "error_description", "iss", *(["state"] if state else [])}
    assert (answer["iss"], answer.get("state")) == (ISSUER, state)
    return answer["error"]


@pytest.mark.slow
async def test_every_fault_in_every_parameter_and_mode(browser: FakeBrowser) -> None:
    """The fault alone decides the error and the requested type and mode its transport (AZ-04, AZ-07, AZ-09,
    AZ-13, AZ-14, AZ-15, AZ-19).
    """
    wrong, lines = (
        [],
        [f"{'parameter':22}{'fault':22}" + "".join(f"{t}/{m or '-':<10}"[:25].ljust(26) for t, m in COLUMNS)],
    )
    for parameter, fault, pairs, expected in rows():
        cells = []
        for response_type, mode in COLUMNS:
            where = mode or ("query" if response_type == "code" else "fragment")
            sent = column(pairs, response_type, mode)
            state = next((value for name, value in sent if name == "state" and value), None)
            cell = outcome(await browser.get(http.AUTHORIZE, sent), where, state)
            cells.append(cell)
            if cell != expected:
                wrong.append((parameter, fault, response_type, mode, cell, expected))
        lines.append(f"{parameter:22}{fault:22}" + "".join(f"{cell:26}" for cell in cells))
    sys.stdout.write("\n" + "\n".join(lines) + "\n")

    assert wrong == []
    assert len(lines) > 100


TYPES_AND_MODES = [
    ("code", "nope", "fragment", "invalid_request"), ("id_token", "query", "fragment", "invalid_request"),
    ("id_token token", "query", "fragment", "invalid_request"), ("id_token", "nope", "fragment", "invalid_request"),
    ("nope", None, "query", "unsupported_response_type"), ("nope", "form_post", "form_post", "unsupported_response_type"),
    ("token", None, "query", "unsupported_response_type"), ("code token", None, "query", "unsupported_response_type"),
    ("code id_token token", "fragment", "fragment", "unsupported_response_type"),
    ("", None, "query", "invalid_request"),
    ("", "fragment", "fragment", "invalid_request"), ("", "form_post", "form_post", "invalid_request"),
]  # fmt: skip


async def test_unusable_type_or_mode_uses_a_usable_mode(browser: FakeBrowser) -> None:
    """Tokens never use the query, and an unknown mode is reported in the fragment (Conformance §3.2)."""
    found = []
    for kind, mode, where, _ in TYPES_AND_MODES:
        response = await browser.authorize(client_id="all", nonce="n", response_type=kind, response_mode=mode)
        found.append((kind, mode, where, outcome(response, where, "st-1")))

    assert found == TYPES_AND_MODES


async def test_acr_values_change_no_prompt_or_max_age_decision(browser: FakeBrowser, clock: FrozenClock) -> None:
    """With acr_values, prompt and max_age decide as without, because acr_values never forces enrolment."""
    await browser.sign_in(client_id="all")
    clock.tick(3_600)
    wrong = []
    for prompt, max_age, acr_values in product(
        (None, "none", "login", "consent", "select_account", "create"),
        (None, "0", "10000"),
        (None, "urn:portico:acr:mfa", "urn:portico:acr:phr nonsense", ""),
    ):
        response = await browser.authorize(client_id="all", prompt=prompt, max_age=max_age, acr_values=acr_values)
        silent = prompt in (None, "none", "consent") and max_age != "0"
        expected = "code" if silent else "login_required" if prompt == "none" else LOGIN
        wrong += [] if expected in response.headers["location"] else [(prompt, max_age, acr_values)]

    assert wrong == []


def test_columns_are_every_type_in_every_mode() -> None:
    served = {(frozenset(kind.split(" ")), mode) for kind, mode in COLUMNS if mode}
    kinds = ("code", "id_token", "id_token token")
    required = {(frozenset(kind.split(" ")), mode) for kind, mode in product(kinds, ("query", "fragment", "form_post"))}

    assert required - served == {(frozenset(kind.split(" ")), "query") for kind in kinds[1:]}
