from __future__ import annotations

import pytest
from portico_web.headers import page_headers


def directives(policy: str) -> dict[str, list[str]]:
    parts = [part.split() for part in policy.split(";") if part.strip()]
    return {name: values for name, *values in parts}


def test_page_policy_denies_scripts_and_foreign_content() -> None:
    """The content security policy denies everything not named and contains no unsafe keyword (AZ-08)."""
    policy = page_headers()["Content-Security-Policy"]
    found = directives(policy)

    assert found["default-src"] == ["'none'"]
    assert found["object-src"] == ["'none'"]
    assert found["base-uri"] == ["'none'"]
    assert found["frame-ancestors"] == ["'none'"]
    assert found["form-action"] == ["'self'"]
    assert "script-src" not in found
    assert "unsafe" not in policy
    assert "*" not in policy


def test_page_is_not_framed_stored_or_referred() -> None:
    """Every interactive page has the headers against framing, caching and referrers (AZ-17)."""
    headers = page_headers()

    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_sample_is_framed_by_its_own_origin_only() -> None:
    """A page names the path that its frames may show, and that response allows frames of its origin (AZ-17)."""
    shown, around = page_headers(framed=True), page_headers(frame_uri="https://id.example/ui/console/orgs/o/sample/")

    assert shown["X-Frame-Options"] == "SAMEORIGIN"
    assert directives(shown["Content-Security-Policy"])["frame-ancestors"] == ["'self'"]
    assert around["X-Frame-Options"] == "DENY"
    assert directives(around["Content-Security-Policy"])["frame-src"] == [
        "https://id.example/ui/console/orgs/o/sample/"
    ]


@pytest.mark.parametrize(
    ("uri", "source"),
    [
        ("https://rp.example.test/cb?a=b;script-src *", "https://rp.example.test"),
        ("http://localhost:3000/cb", "http://localhost:3000"),
        ("com.example.app:/cb", "com.example.app:"),
        ("http://[::1]:4000/cb", "http:"),
    ],
)
def test_form_action_names_one_other_origin(uri: str, source: str) -> None:
    """The form-action directive contains an origin without path and query, which could inject a directive (AZ-08)."""
    found = directives(page_headers(form_uri=uri)["Content-Security-Policy"])

    assert found["form-action"] == ["'self'", source]
    assert "script-src" not in found
