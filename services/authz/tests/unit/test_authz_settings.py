"""The settings of authz."""

from __future__ import annotations

import pytest
from portico_authz.settings import AuthzSettings
from pydantic import ValidationError


@pytest.mark.parametrize("key", ["", "short", "x" * 31])
def test_a_short_login_api_key_prevents_the_start(key: str) -> None:
    """An empty key would open the login API to every caller."""
    with pytest.raises(ValidationError, match="login_api_key"):
        AuthzSettings.model_validate({"login_api_key": key})


def test_a_code_cannot_be_made_to_live_longer_than_a_minute() -> None:
    """TK-03: the lifetime of a code is at most 60 s."""
    with pytest.raises(ValidationError, match="code_seconds"):
        AuthzSettings.model_validate({"login_api_key": "x" * 32, "code_seconds": 61})


def test_no_login_api_key_prevents_the_start() -> None:
    """The empty default of the login API key is rejected too."""
    with pytest.raises(ValidationError, match="login_api_key"):
        AuthzSettings.model_validate({})
