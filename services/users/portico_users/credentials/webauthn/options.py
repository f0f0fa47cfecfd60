"""The options of a ceremony for the browser (WebAuthn, sections 5.4 and 5.5), as JSON with base64url."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from webauthn import generate_authentication_options, generate_registration_options
from webauthn.helpers import base64url_to_bytes, options_to_json_dict
from webauthn.helpers.cose import COSEAlgorithmIdentifier as Algorithm
from webauthn.helpers.structs import (
    AttestationConveyancePreference,
    AuthenticatorAttachment,
    AuthenticatorSelectionCriteria,
    AuthenticatorTransport,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from portico_users.credentials.webauthn.ceremonies import SECONDS, Ceremony, Use
from portico_users.credentials.webauthn.relying_party import NAME, user_handle
from portico_users.credentials.webauthn.stored_credentials import WebAuthnCredential

ALGORITHMS: Final = [Algorithm.ECDSA_SHA_256, Algorithm.EDDSA, Algorithm.RSASSA_PKCS1_v1_5_SHA_256]
"""Of the keys we take, best first."""

_MILLISECONDS: Final = int(SECONDS * 1_000)
_TRANSPORTS: Final = frozenset(transport.value for transport in AuthenticatorTransport)


class Person(NamedTuple):
    """Whom a new key is for, as the browser shows it."""

    login_name: str
    display_name: str


def creation_options(
    ceremony: Ceremony,
    person: Person,
    keys: Sequence[WebAuthnCredential],
    attachment: AuthenticatorAttachment | None = None,
) -> dict[str, Any]:
    """For ``navigator.credentials.create()``.

    Args:
        keys: what the user has already: none of them is registered twice.
        attachment: built in or on a device of its own; None for either.
    """
    passkey = ceremony.use is Use.PASSKEY
    options = generate_registration_options(
        rp_id=ceremony.rp_id,
        rp_name=NAME,
        user_id=user_handle(ceremony.user_id),
        user_name=person.login_name,
        user_display_name=person.display_name,
        challenge=base64url_to_bytes(ceremony.challenge),
        timeout=_MILLISECONDS,
        attestation=AttestationConveyancePreference.NONE,
        authenticator_selection=AuthenticatorSelectionCriteria(
            authenticator_attachment=attachment,
            resident_key=ResidentKeyRequirement.REQUIRED if passkey else ResidentKeyRequirement.DISCOURAGED,
            user_verification=_verification(ceremony),
        ),
        exclude_credentials=_descriptors(keys),
        supported_pub_key_algs=ALGORITHMS,
    )
    # Some browsers keep a passkey only for a page that requests it; the result shows whether it was stored (section 10.1.3).
    return {"publicKey": {**options_to_json_dict(options), "extensions": {"credProps": True}}}


def request_options(ceremony: Ceremony, keys: Sequence[WebAuthnCredential]) -> dict[str, Any]:
    """For ``navigator.credentials.get()``.

    Args:
        keys: the allowed ones; none where the browser offers its discoverable ones.
    """
    options = generate_authentication_options(
        rp_id=ceremony.rp_id,
        challenge=base64url_to_bytes(ceremony.challenge),
        timeout=_MILLISECONDS,
        allow_credentials=_descriptors(keys),
        user_verification=_verification(ceremony),
    )
    return {"publicKey": options_to_json_dict(options)}


def known_transports(wanted: Any) -> tuple[str, ...]:
    """The known values among those of the browser; they are a hint, so none is refused."""
    if not isinstance(wanted, list):
        return ()
    return tuple(sorted({one for one in wanted if isinstance(one, str)} & _TRANSPORTS))


def _verification(ceremony: Ceremony) -> UserVerificationRequirement:
    # A second factor follows a password: possession is enough, and old security keys verify no user.
    return UserVerificationRequirement.REQUIRED if ceremony.user_verified else UserVerificationRequirement.DISCOURAGED


def _descriptors(keys: Sequence[WebAuthnCredential]) -> list[PublicKeyCredentialDescriptor]:
    return [
        PublicKeyCredentialDescriptor(
            id=base64url_to_bytes(key.credential_id),
            transports=[AuthenticatorTransport(one) for one in key.transports] or None,
        )
        for key in keys
    ]
