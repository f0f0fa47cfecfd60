"""Response types and modes."""

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
def test_the_words_are_a_set(text: str, expected: ResponseType) -> None:
    """The order of the words has no meaning, nor have surplus spaces (AZ-13)."""
    assert find_response_type(text) is expected


@pytest.mark.parametrize(
    "text",
    ["token", "code token", "code id_token", "code id_token token", "ID_TOKEN", "id_token id_token",
     "id_token\ttoken", "none", ""],
)  # fmt: skip
def test_everything_else_is_unsupported(text: str) -> None:
    """There are exactly three response types (AZ-13)."""
    assert find_response_type(text) is None


def test_only_what_was_requested_is_issued() -> None:
    """response_type id_token gives no access token (AZ-13)."""
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
def test_tokens_travel_in_the_fragment(response_type: ResponseType | None, mode: ResponseMode) -> None:
    """Without a response_mode tokens never enter a query (OAuth 2.0 Multiple Response Types §5)."""
    assert default_mode(response_type) is mode
