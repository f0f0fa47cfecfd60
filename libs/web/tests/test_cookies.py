from __future__ import annotations

import pytest
from portico_web.cookies import BrowserCookie

PLAIN = BrowserCookie("http://localhost:8080")
SECURE = BrowserCookie("https://op.example.test")


def test_https_cookie_has_the_host_prefix() -> None:
    """The attributes are __Host-, Secure, HttpOnly, SameSite=Lax and Path=/, without Domain (LG-13)."""
    header = SECURE.set("handle")
    attributes = {part.strip() for part in header.split(";")[1:]}

    assert header.startswith("__Host-portico-ua-")
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= attributes
    assert "domain" not in header.lower()


def test_http_cookie_has_no_prefix() -> None:
    """A __Host- cookie needs Secure, which a browser refuses over http."""
    assert not PLAIN.name.startswith("__")
    assert "Secure" not in PLAIN.set("handle")
    assert "HttpOnly; SameSite=Lax" in PLAIN.set("handle")


def test_two_stacks_on_one_host_do_not_share_a_cookie() -> None:
    """Cookies ignore ports, so the cookie name depends on the issuer."""
    assert PLAIN.name != BrowserCookie("http://localhost:8081").name


def test_cookie_name_must_match_exactly() -> None:
    header = f"a=b; x{PLAIN.name}=no; {PLAIN.name}=yes; {PLAIN.name}x=no"

    assert PLAIN.read(header) == "yes"


@pytest.mark.parametrize(
    "header", [None, "", ";;;", "portico", f"{PLAIN.name}", f"{PLAIN.name}=", f"{PLAIN.name}=a; {PLAIN.name}=b"]
)
def test_ambiguous_cookie_is_ignored(header: str | None) -> None:
    """A second cookie set by a sibling domain makes the browser unknown, never another one (LG-13)."""
    assert PLAIN.read(header) == ""


def test_clearing_expires_the_cookie() -> None:
    """After logout the browser deletes the handle (IR-14)."""
    assert "Max-Age=0" in SECURE.clear()
    assert SECURE.clear().startswith(f"{SECURE.name}=;")
