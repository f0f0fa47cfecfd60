"""The one cookie."""

from __future__ import annotations

import pytest
from portico_web.cookies import BrowserCookie

PLAIN = BrowserCookie("http://localhost:8080")
SECURE = BrowserCookie("https://op.example.test")


def test_under_https_it_is_a_host_cookie() -> None:
    """__Host-, Secure, HttpOnly, SameSite=Lax, Path=/, no Domain (LG-13)."""
    header = SECURE.set("handle")
    attributes = {part.strip() for part in header.split(";")[1:]}

    assert header.startswith("__Host-portico-ua-")
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= attributes
    assert "domain" not in header.lower()


def test_under_http_it_has_no_prefix_a_browser_would_refuse() -> None:
    """A __Host- cookie needs Secure, which http cannot have."""
    assert not PLAIN.name.startswith("__")
    assert "Secure" not in PLAIN.set("handle")
    assert "HttpOnly; SameSite=Lax" in PLAIN.set("handle")


def test_two_stacks_on_one_host_do_not_share_a_cookie() -> None:
    """Cookies ignore ports, so the name distinguishes the issuer."""
    assert PLAIN.name != BrowserCookie("http://localhost:8081").name


def test_the_handle_is_found_among_others() -> None:
    """Only a cookie with the whole name counts."""
    header = f"a=b; x{PLAIN.name}=no; {PLAIN.name}=yes; {PLAIN.name}x=no"

    assert PLAIN.read(header) == "yes"


@pytest.mark.parametrize(
    "header", [None, "", ";;;", "portico", f"{PLAIN.name}", f"{PLAIN.name}=", f"{PLAIN.name}=a; {PLAIN.name}=b"]
)
def test_no_or_an_ambiguous_handle_is_none(header: str | None) -> None:
    """A cookie tossed beside ours by a sister domain makes the browser unknown, never another's (LG-13)."""
    assert PLAIN.read(header) == ""


def test_clearing_expires_it() -> None:
    """After logout the browser forgets the handle (IR-14)."""
    assert "Max-Age=0" in SECURE.clear()
    assert SECURE.clear().startswith(f"{SECURE.name}=;")
