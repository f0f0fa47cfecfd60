"""The request id."""

from __future__ import annotations

import pytest
from portico_contracts.context import is_request_id


@pytest.mark.parametrize(
    "text", ["", "short", "a" * 65, "abc def12", "abcdefgh\n", "abcdefgé", "<script>x", "a;b=cdefg"]
)
def test_what_is_no_request_id(text: str) -> None:
    """Only what can be logged and shown as it is passes (AZ-07)."""
    assert not is_request_id(text)


@pytest.mark.parametrize("text", ["abcdefgh", "a" * 64, "01J8-x.y_z"])
def test_what_is_a_request_id(text: str) -> None:
    """Request ids of the forms that clients commonly send pass."""
    assert is_request_id(text)
