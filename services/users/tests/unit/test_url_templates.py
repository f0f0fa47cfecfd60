"""Templates of links in emails (HH-06)."""

from __future__ import annotations

import pytest
from portico_users.end_users.url_templates import filled, is_url_template

VALUES = {"UserID": "a/b", "Code": "K7PQ2M", "OrgID": "{{.Code}}", "LoginName": "eve&x=1@acme.example\r\n<b>"}


@pytest.mark.parametrize(
    "template",
    [
        "https://app.example/v?u={{.UserID}}&c={{.Code}}&o={{.OrgID}}&n={{.LoginName}}",
        "https://app.example:8443/{{.Code}}",
        "http://localhost:3000/v",
        "http://127.0.0.1/v",
    ],
)
def test_valid_templates(template: str) -> None:
    """Https is valid for any host, http for loopback hosts."""
    assert is_url_template(template)


@pytest.mark.parametrize(
    "template",
    [
        "http://app.example/",
        "javascript:alert(1)//{{.Code}}",
        "data:text/html,x",
        "com.example.app:/v",
        "//app.example/v",
        "https:///v",
        "https://eve@app.example/",
        "https://{{.UserID}}.example/",
        "https://app.example/#{{.Code}}",
        "https://app.example/{{.Password}}",
        "https://app.example/{{ .Code }}",
        "https://app.example/{{.Code}",
        "https://app.example/\r\nBcc: x",
        "https://app.example\\@evil.example/",
        "https://app.example/<b>",
    ],
)
def test_invalid_templates(template: str) -> None:
    """Every template but https, or http on a loopback host, is refused."""
    assert not is_url_template(template)


@pytest.mark.parametrize(
    ("template", "allowed"),
    [
        ("https://app.example/v", True),
        ("https://APP.example:8443/v", True),
        ("https://app.example.evil.example/v", False),
        ("https://evil.example/?app.example", False),
        ("http://localhost/v", False),
    ],
)
def test_organization_can_restrict_link_hosts(template: str, allowed: bool) -> None:
    """Links are restricted to the hosts that an organization lists (HH-06)."""
    assert is_url_template(template, ("app.example", "www.example")) is allowed


def test_values_are_encoded_once() -> None:
    """A value cannot escape its place, and placeholders in it are not replaced."""
    template = "https://app.example/{{.UserID}}?c={{.Code}}&c={{.Code}}&o={{.OrgID}}&n={{.LoginName}}"

    assert filled(template, VALUES) == (
        "https://app.example/a%2Fb?c=K7PQ2M&c=K7PQ2M&o=%7B%7B.Code%7D%7D&n=eve%26x%3D1%40acme.example%0D%0A%3Cb%3E"
    )
