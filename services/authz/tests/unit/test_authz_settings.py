from __future__ import annotations

import pytest
from portico_authz.settings import AuthzSettings
from portico_harness.rows import row
from pydantic import ValidationError


@pytest.mark.parametrize("key", ["", "short", "x" * 31])
def test_short_login_api_key_prevents_the_start(key: str) -> None:
    with pytest.raises(ValidationError, match="login_api_key"):
        AuthzSettings.model_validate({"login_api_key": key})


def test_code_lifetime_is_at_most_a_minute() -> None:
    """The lifetime of a code is at most 60 s (TK-03)."""
    with pytest.raises(ValidationError, match="code_seconds"):
        AuthzSettings.model_validate({"login_api_key": "x" * 32, "code_seconds": 61})


def test_missing_login_api_key_prevents_the_start() -> None:
    with pytest.raises(ValidationError, match="login_api_key"):
        AuthzSettings.model_validate({})


@pytest.mark.parametrize("url", ["https://login.example.test", "https://x.test/pages/", "http://localhost:3000"])
def test_own_login_pages_have_a_safe_address(url: str) -> None:
    """https, and http on a loopback host; a slash at the end is removed."""
    settings = AuthzSettings.model_validate({"login_api_key": "x" * 32, "zitadel_names": True, "own_login_url": url})

    assert settings.own_login_url == url.rstrip("/")


UNSAFE: list[str] = [
    "http://login.example.test",
    "login.example.test",
    "/login",
    "https://",
    "javascript:alert(1)",
    "https://x.test/?a=b",
    "https://x.test/#a",
    "https://user@x.test",
    "https://x.test:port",
    "https://x.test/a b",
    "https://x.test/\r\nx: y",
]


def test_unsafe_own_login_pages_prevent_the_start() -> None:
    for url in UNSAFE:
        with row(url), pytest.raises(ValidationError, match="own_login_url"):
            AuthzSettings.model_validate({"login_api_key": "x" * 32, "zitadel_names": True, "own_login_url": url})


def test_own_login_pages_need_the_names_of_zitadel() -> None:
    with pytest.raises(ValidationError, match="PORTICO_ZITADEL_NAMES"):
        AuthzSettings.model_validate({"login_api_key": "x" * 32, "own_login_url": "https://login.example.test"})
