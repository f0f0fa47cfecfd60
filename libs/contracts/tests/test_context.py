from __future__ import annotations

import pytest
from portico_contracts.context import is_request_id, is_trace_parent


@pytest.mark.parametrize(
    "text", ["", "short", "a" * 65, "abc def12", "abcdefgh\n", "abcdefgé", "<script>x", "a;b=cdefg"]
)
def test_invalid_request_ids(text: str) -> None:
    """Only request ids that are safe to log and display are accepted (AZ-07)."""
    assert not is_request_id(text)


@pytest.mark.parametrize("text", ["abcdefgh", "a" * 64, "01J8-x.y_z"])
def test_common_request_id_formats_are_accepted(text: str) -> None:
    assert is_request_id(text)


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", True),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\n", False),
        ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01", False),
        ("00-forged", False),
        ("", False),
    ],
)
def test_invalid_traceparents(text: str, valid: bool) -> None:
    """Only a traceparent in the format of W3C Trace Context is passed on to other services."""
    assert is_trace_parent(text) is valid
