from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from itertools import product
from urllib.parse import parse_qsl, urlsplit

import pytest
from portico_oauth.errors import TABLE, Kind, ServiceError
from portico_oauth.response_types import ResponseMode
from portico_web.return_address import ReturnAddress, add_to_query
from portico_web.surfaces import redirect

ISSUER = "https://op.example.test"
URI = "https://rp.example.test/cb"

PAYLOADS = [
    "plain",
    "a b+c%20d",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'onmouseover='alert(1)",
    "</form><form action=https://evil.test>",
    "a\r\nSet-Cookie: x=y",
    "a\r\n\r\n<html>",
    "%0d%0aLocation:%20https://evil.test",
    "&error=none&code=x",
    "#code=x",
    "javascript:alert(1)",
    "{{ 7*7 }}",
    "{% raw %}",
    "${7*7}",
    "é漢😀\u202e\u200b",
    "x" * 2_000,
    "\t\x01\x7f",
]


class Form(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.action = ""
        self.fields: dict[str, str] = {}
        self.tags: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        if tag == "form":
            self.action = values["action"]
        if tag == "input":
            self.fields[values["name"]] = values["value"]


def back(mode: ResponseMode, state: str, uri: str = URI) -> ReturnAddress:
    return ReturnAddress(uri, mode, state, ISSUER)


def test_state_is_returned_unchanged_in_the_address() -> None:
    """After one percent-decoding the state is what was sent, and no header is split (AZ-07)."""
    for mode, state in product((ResponseMode.QUERY, ResponseMode.FRAGMENT), PAYLOADS):
        response = back(mode, state).respond({"code": "c"})
        location = urlsplit(response.headers["location"])
        part = location.query if mode is ResponseMode.QUERY else location.fragment

        assert response.status_code == 303, (mode, state)
        assert dict(parse_qsl(part, strict_parsing=True)) == {"code": "c", "state": state, "iss": ISSUER}, (mode, state)
        assert set(response.headers) == {"cache-control", "pragma", "location", "content-length"}, (mode, state)
        assert re.fullmatch(r"[\x21-\x7e]+", response.headers["location"]), (mode, state)


def test_state_is_returned_unchanged_in_a_form() -> None:
    """The page holds one form with escaped values and runs one script, allowed by its hash (AZ-07, AZ-08)."""
    for state in PAYLOADS:
        response = back(ResponseMode.FORM_POST, state).respond({"code": "c"})
        form = Form(bytes(response.body).decode())
        # HTML reads a CR LF in an attribute as one LF; browsers send CR LF again.
        fields = {name: value.replace("\r\n", "\n") for name, value in form.fields.items()}

        assert form.action == URI, state
        assert fields == {"code": "c", "state": state.replace("\r\n", "\n"), "iss": ISSUER}, state
        assert form.tags.count("script") == 1, state
        assert form.tags.count("form") == 1, state
        assert form.tags.count("img") == 0, state


def test_form_post_script_matches_the_policy() -> None:
    """The browser runs exactly the script whose hash is in the policy, and the application may redirect anywhere
    (AZ-08).
    """
    response = back(ResponseMode.FORM_POST, "s").respond({})
    [script] = re.findall(r"<script>(.*?)</script>", bytes(response.body).decode())
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()

    assert f"script-src 'sha256-{digest}';" in response.headers["content-security-policy"]
    assert "form-action" not in response.headers["content-security-policy"]


@pytest.mark.parametrize("mode", list(ResponseMode))
def test_every_response_carries_the_issuer(mode: ResponseMode) -> None:
    """Success and error responses carry iss in every response mode (AZ-15, RFC 9207)."""
    for response in (
        back(mode, "").respond({"code": "c"}),
        redirect(ServiceError(Kind.LOGIN_REQUIRED, "TEST-001", "Sign in."), back(mode, "")),
    ):
        text = response.headers.get("location", "") + bytes(response.body).decode()

        assert "iss" in text
        assert "op.example.test" in text
        assert "state" not in text


def test_every_error_kind_as_a_redirect() -> None:
    """An error redirect has error, error_description, state and iss and nothing else (RFC 6749 §4.1.2.1)."""
    for kind in Kind:
        response = redirect(ServiceError(kind, "TEST-001", "A text."), back(ResponseMode.QUERY, "s"))
        fields = dict(parse_qsl(urlsplit(response.headers["location"]).query))

        assert fields == {"error": TABLE[kind].oauth, "error_description": "A text.", "state": "s", "iss": ISSUER}, kind
        assert response.status_code == 303, kind


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("https://rp.test/cb", "https://rp.test/cb?a=b"),
        ("https://rp.test/cb?x=y", "https://rp.test/cb?x=y&a=b"),
        ("https://rp.test/cb?x=%2F&y", "https://rp.test/cb?x=%2F&y&a=b"),
        ("https://rp.test/cb?", "https://rp.test/cb?a=b"),
        ("com.example.app:/cb", "com.example.app:/cb?a=b"),
    ],
)
def test_query_of_a_redirect_uri_is_preserved(uri: str, expected: str) -> None:
    """The query of a registered redirect URI is retained unchanged (RFC 6749 §3.1.2)."""
    assert add_to_query(uri, {"a": "b"}) == expected
    assert add_to_query(uri, {}) == uri
