"""The headers of pages."""

from __future__ import annotations

import pytest
from portico_web.headers import ANY_ORIGIN, page_headers


def directives(policy: str) -> dict[str, list[str]]:
    parts = [part.split() for part in policy.split(";") if part.strip()]
    return {name: values for name, *values in parts}


def test_a_page_runs_no_script_and_loads_nothing_foreign() -> None:
    """Everything is denied that is not named, and no unsafe word appears (AZ-08)."""
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


def test_a_page_is_neither_framed_nor_stored_nor_referred() -> None:
    """The other headers of every interactive page (AZ-17)."""
    headers = page_headers()

    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("uri", "source"),
    [
        ("https://rp.example.test/cb?a=b;script-src *", "https://rp.example.test"),
        ("http://localhost:3000/cb", "http://localhost:3000"),
        ("com.example.app:/cb", "com.example.app:"),
        ("http://[::1]:4000/cb", "http:"),
    ],
)
def test_a_form_may_end_at_one_other_origin(uri: str, source: str) -> None:
    """form-action names the origin and nothing of path or query, which could hold a directive (AZ-08)."""
    found = directives(page_headers(form_uri=uri)["Content-Security-Policy"])

    assert found["form-action"] == ["'self'", source]
    assert "script-src" not in found


def test_public_documents_never_allow_credentials() -> None:
    """Any origin may read, without cookies (IR-17)."""
    assert ANY_ORIGIN == {"Access-Control-Allow-Origin": "*"}
