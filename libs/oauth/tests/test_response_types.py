from __future__ import annotations

import pytest
from portico_oauth.response_types import ResponseMode, ResponseType, default_mode, find_response_type


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("code", ResponseType.CODE),
        ("id_token", ResponseType.ID_TOKEN),
        ("id_token token", ResponseType.ID_TOKEN_TOKEN),
        ("token id_token", ResponseType.ID_TOKEN_TOKEN),
        (" id_token  token ", ResponseType.ID_TOKEN_TOKEN),
    ],
)
def test_response_type_is_a_set(text: str, expected: ResponseType) -> None:
    """The order of the words and surplus spaces do not matter (AZ-13)."""
    assert find_response_type(text) is expected


@pytest.mark.parametrize(
    "text",
    ["token", "code token", "code id_token", "code id_token token", "ID_TOKEN", "id_token id_token",
     "id_token\ttoken", "none", ""],
)  # fmt: skip
def test_other_response_types_are_unsupported(text: str) -> None:
    """Exactly three response types are supported (AZ-13)."""
    assert find_response_type(text) is None


def test_only_requested_tokens_are_issued() -> None:
    """Response type id_token issues no access token (AZ-13)."""
    assert not ResponseType.ID_TOKEN.has_access_token
    assert ResponseType.ID_TOKEN_TOKEN.has_access_token
    assert not ResponseType.CODE.has_id_token
    assert not ResponseType.CODE.has_access_token


@pytest.mark.parametrize(
    ("response_type", "mode"),
    [
        (ResponseType.CODE, ResponseMode.QUERY),
        (None, ResponseMode.QUERY),
        (ResponseType.ID_TOKEN, ResponseMode.FRAGMENT),
        (ResponseType.ID_TOKEN_TOKEN, ResponseMode.FRAGMENT),
    ],
)
def test_tokens_use_the_fragment_by_default(response_type: ResponseType | None, mode: ResponseMode) -> None:
    """Without response_mode, tokens are never put into a query (OAuth 2.0 Multiple Response Types §5)."""
    assert default_mode(response_type) is mode
