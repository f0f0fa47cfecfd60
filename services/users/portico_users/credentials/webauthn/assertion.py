"""Verifies an assertion at sign-in: every step of a relying party (WebAuthn, section 7.2; LG-20)."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import structlog
from portico_oauth.opaque import equal_in_constant_time
from webauthn import verify_authentication_response
from webauthn.helpers import base64url_to_bytes

from portico_users.credentials.webauthn.ceremonies import Ceremony
from portico_users.credentials.webauthn.new_credential import (
    MAX_CLIENT_DATA,
    MAX_CREDENTIAL_ID,
    NotFitting,
    read_base64url,
    require_own_page,
)
from portico_users.credentials.webauthn.relying_party import user_handle
from portico_users.credentials.webauthn.stored_credentials import WebAuthnCredential

log = structlog.get_logger("portico.keys")

MAX_DATA: Final = 4_096
MAX_SIGNATURE: Final = 1_024
"""Bytes."""


class Checked(NamedTuple):
    """A valid assertion."""

    sign_count: int
    user_verified: bool


def id_in(credential: Any) -> str:
    """The credential id of an assertion; empty for every other value."""
    raw_id = credential.get("rawId") if isinstance(credential, dict) else None
    return raw_id if isinstance(raw_id, str) and len(raw_id) <= 2 * MAX_CREDENTIAL_ID else ""


def check_assertion(
    credential: dict[str, Any], ceremony: Ceremony, key: WebAuthnCredential, origin: str
) -> Checked | None:
    """The content of a valid assertion; None for every other one."""
    try:
        return _check(credential, ceremony, key, origin)
    except Exception as error:  # libraries meet a stranger's bytes: whatever they stumble over is his
        log.info("assertion refused", key=key.id, cause=f"{type(error).__name__}: {error}"[:200])
        return None


def _check(credential: dict[str, Any], ceremony: Ceremony, key: WebAuthnCredential, origin: str) -> Checked:
    response = credential["response"]
    require_own_page(read_base64url(response["clientDataJSON"], MAX_CLIENT_DATA))
    read_base64url(response["authenticatorData"], MAX_DATA)
    read_base64url(response["signature"], MAX_SIGNATURE)
    _require_owner(response.get("userHandle"), ceremony, key)
    if key.rp_id != ceremony.rp_id:
        raise NotFitting("a key for another relying party")
    verified = verify_authentication_response(
        credential=credential,
        expected_challenge=base64url_to_bytes(ceremony.challenge),
        expected_rp_id=ceremony.rp_id,
        expected_origin=origin,
        credential_public_key=base64url_to_bytes(key.public_key),
        # The counter is checked below: a right signature with a wrong counter leads to a warning.
        credential_current_sign_count=0,
        require_user_verification=ceremony.user_verified,
    )
    counts = key.sign_count > 0 or verified.new_sign_count > 0
    if counts and verified.new_sign_count <= key.sign_count:
        log.warning("a key counts backwards: there may be two of it", key=key.id, user_id=key.user_id)
        raise NotFitting("the count did not grow")
    return Checked(verified.new_sign_count, verified.user_verified)


def _require_owner(handle: Any, ceremony: Ceremony, key: WebAuthnCredential) -> None:
    """Step 6: the credential belongs to the user of the sign-in, and its user handle names that user."""
    if ceremony.user_id and ceremony.user_id != key.user_id:
        raise NotFitting("a key of another user")
    if not handle and ceremony.user_id:
        return  # second factors need not know their user
    if not equal_in_constant_time(read_base64url(handle, MAX_CREDENTIAL_ID).hex(), user_handle(key.user_id).hex()):
        raise NotFitting("the key says it is another user's")
