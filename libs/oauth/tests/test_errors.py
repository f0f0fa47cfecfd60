from __future__ import annotations

import pytest
from portico_oauth.errors import ERROR_CODES, SERVER_ERROR, TABLE, ErrorCode, Kind

OAUTH_CODES = {
    "invalid_request", "invalid_scope", "invalid_target", "unsupported_response_type", "unsupported_grant_type", "invalid_client",
    "unauthorized_client", "invalid_grant", "invalid_token", "insufficient_scope", "login_required",
    "interaction_required", "consent_required", "access_denied", "temporarily_unavailable", "server_error",
    "request_not_supported", "request_uri_not_supported", "unmet_authentication_requirements", "invalid_request_uri",
    "authorization_pending", "slow_down", "expired_token", "invalid_dpop_proof", "use_dpop_nonce",
}  # fmt: skip


def test_every_error_kind_has_a_row() -> None:
    assert set(TABLE) == set(Kind)


def test_rows_use_registered_codes_and_statuses() -> None:
    """No surface can render an error code or status outside the specifications."""
    assert {row.oauth for row in TABLE.values()} <= OAUTH_CODES
    assert {row.status for row in TABLE.values()} <= {400, 401, 403, 404, 405, 409, 413, 415, 429, 500, 503}
    assert {row.rpc for row in TABLE.values()} <= {3, 5, 6, 7, 8, 9, 10, 12, 13, 14, 16}


@pytest.mark.parametrize("text", ["", 'with "quotes"', "back\\slash", "line\nbreak", "tab\t", "é", "nul\x00"])
def test_text_outside_the_character_set_is_refused(text: str) -> None:
    """An error description is limited to the characters of RFC 6749 §4.1.2.1, checked when the error code is
    declared.
    """
    with pytest.raises(ValueError, match="characters"):
        ErrorCode("TEST-901", Kind.INVALID_REQUEST, text)


@pytest.mark.parametrize("id", ["", "TEST", "TEST-1", "test-001", "TEST-0001", "TEST 001", "TEST-001\n"])
def test_error_ids_have_one_format(id: str) -> None:
    with pytest.raises(ValueError, match="does not look like"):
        ErrorCode(id, Kind.INVALID_REQUEST, "Wrong.")


def test_error_id_is_declared_once() -> None:
    first = ErrorCode("TEST-902", Kind.INVALID_REQUEST, "One thing.")
    try:
        with pytest.raises(ValueError, match="declared twice"):
            ErrorCode("TEST-902", Kind.INVALID_REQUEST, "Another thing.")
        assert ERROR_CODES["TEST-902"] is first
    finally:
        del ERROR_CODES["TEST-902"]


def test_private_fields_are_not_in_the_text() -> None:
    """The private fields of an error appear in the log but never in the text sent to the caller (MG-19)."""
    error = SERVER_ERROR.error(cause="redis://secret@host")

    assert "secret" not in str(error)
    assert error.private == {"cause": "redis://secret@host"}
