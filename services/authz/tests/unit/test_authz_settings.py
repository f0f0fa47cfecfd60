from __future__ import annotations

import pytest
from portico_authz.settings import AuthzSettings
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
