"""Verifies a new credential with all steps that the library leaves to the caller (WebAuthn, section 7.1; LG-17)."""

from __future__ import annotations

import json
import re
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import b64url
from webauthn.helpers import (
    base64url_to_bytes,
    decode_credential_public_key,
    decoded_public_key_to_cryptography,
    encode_cbor,
    parse_cbor,
)
from webauthn.helpers.cose import COSEAlgorithmIdentifier as Algorithm
from webauthn.helpers.structs import CredentialDeviceType

from portico_users.credentials.webauthn.ceremonies import Ceremony, Use
from portico_users.credentials.webauthn.options import ALGORITHMS, known_transports
from portico_users.credentials.webauthn.stored_credentials import WebAuthnCredential
from portico_users.values.problems import at

INVALID_CREDENTIAL = ErrorCode(
    "USER-502",
    Kind.INVALID_REQUEST,
    "The credential does not match the registration.",
    "Start again, and send the result of navigator.credentials.create for the new options, from a page of the issuer.",
)

MAX_CLIENT_DATA: Final = 16_384
MAX_ATTESTATION: Final = 131_072
MAX_CREDENTIAL_ID: Final = 1_023
MAX_PUBLIC_KEY: Final = 2_048
"""In bytes. The whole credential may be larger, because unknown members are ignored."""

_FORMATS: Final = frozenset({"none", "packed", "fido-u2f"})
"""We request "none"; browsers keep the other two for self attestation (section 5.1.3, step 22)."""

_BASE64URL: Final = re.compile(r"[A-Za-z0-9_-]+\Z")


class NotFitting(Exception):
    pass


def read_new_credential(credential: dict[str, object], ceremony: Ceremony, origins: list[str]) -> WebAuthnCredential:
    """Returns the credential of a ``PublicKeyCredential.toJSON()``, with the id of the ceremony."""
    try:
        return _read(credential, ceremony, origins)
    except Exception as error:  # libraries meet a stranger's bytes: whatever they stumble over is his
        cause = f"{type(error).__name__}: {error}"[:200]
        raise at("publicKeyCredential", INVALID_CREDENTIAL.error(cause=cause)) from None


def _read(credential: dict[str, object], ceremony: Ceremony, origins: list[str]) -> WebAuthnCredential:
    from webauthn.registration.verify_registration_response import (  # noqa: PLC0415  # allow import-place: it imports every attestation format
        verify_registration_response,
    )

    response = response_in(credential)
    require_own_page(read_base64url(response["clientDataJSON"], MAX_CLIENT_DATA))
    _require_attestation(read_base64url(response["attestationObject"], MAX_ATTESTATION))
    raw_id = read_base64url(credential["rawId"], MAX_CREDENTIAL_ID)
    verified = verify_registration_response(
        credential=credential,
        expected_challenge=base64url_to_bytes(ceremony.challenge),
        expected_rp_id=ceremony.rp_id,
        expected_origin=origins,
        require_user_presence=True,
        require_user_verification=ceremony.user_verified,
        supported_pub_key_algs=ALGORITHMS,
    )
    if verified.credential_id != raw_id:
        raise NotFitting("the id is not that of the key")
    require_public_key(verified.credential_public_key)
    return WebAuthnCredential(
        id=ceremony.id,
        user_id=ceremony.user_id,
        credential_id=b64url(raw_id),
        public_key=b64url(verified.credential_public_key),
        sign_count=verified.sign_count,
        aaguid=verified.aaguid,
        rp_id=ceremony.rp_id,
        passkey=ceremony.use is Use.PASSKEY and not _is_kept_elsewhere(credential),
        backed_up=verified.credential_backed_up,
        backup_eligible=verified.credential_device_type is CredentialDeviceType.MULTI_DEVICE,
        transports=known_transports(response.get("transports")),
    )


def response_in(credential: dict[str, object]) -> dict[str, object]:
    """What the authenticator answered; NotFitting without an object."""
    response = credential["response"]
    if not isinstance(response, dict):
        raise NotFitting("no response")
    return response


def _is_kept_elsewhere(credential: dict[str, object]) -> bool:
    """Reports whether the credential is not discoverable, according to the browser: it needs a user name first."""
    extensions = credential.get("clientExtensionResults")
    properties = extensions.get("credProps") if isinstance(extensions, dict) else None
    return isinstance(properties, dict) and properties.get("rk") is False


def read_base64url(text: object, most: int) -> bytes:
    """Decodes strictly, so that each value has exactly one encoding. Raises `NotFitting`."""
    if not isinstance(text, str) or len(text) > most * 4 // 3 + 3 or not _BASE64URL.match(text):
        raise NotFitting("no base64url, or too long")
    data = base64url_to_bytes(text)
    if len(data) > most or b64url(data) != text:
        raise NotFitting("too long, or base64url with bits left over")
    return data


def require_own_page(client_data: bytes) -> None:
    """Requires unambiguous client data created in a top-level page. Raises `NotFitting`."""
    members = json.loads(client_data.decode("utf-8"), object_pairs_hook=_once)
    if not isinstance(members, dict):
        raise NotFitting("the client data is no object")
    if members.get("crossOrigin") not in (None, False) or "topOrigin" in members:
        raise NotFitting("made in a frame of another origin")
    read_base64url(members.get("challenge"), MAX_CLIENT_DATA)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotFitting("a member stands there twice")
    return members


def _require_attestation(attestation: bytes) -> None:
    members = parse_cbor(attestation)
    if not isinstance(members, dict) or set(members) != {"fmt", "attStmt", "authData"}:
        raise NotFitting("the attestation object has other members")
    if encode_cbor(members) != attestation:
        raise NotFitting("CBOR in another than its canonical form, or with something after it")
    if members["fmt"] not in _FORMATS:
        raise NotFitting("attestation of a form that was not asked for")
    if members["fmt"] == "none" and members["attStmt"] != {}:
        raise NotFitting("no attestation, but a statement")


def require_public_key(cose: bytes) -> None:
    """Requires supported, consistent algorithm, type and size; libraries raise their own errors for bad points."""
    if len(cose) > MAX_PUBLIC_KEY:
        raise NotFitting("the public key is too long")
    decoded = decode_credential_public_key(cose)
    key = decoded_public_key_to_cryptography(decoded)
    match decoded.alg, key:
        case Algorithm.ECDSA_SHA_256, EllipticCurvePublicKey() if isinstance(key.curve, SECP256R1):
            return
        case Algorithm.EDDSA, Ed25519PublicKey():
            return
        case Algorithm.RSASSA_PKCS1_v1_5_SHA_256, RSAPublicKey() if 2_048 <= key.key_size <= 4_096:
            return
    raise NotFitting("kind, algorithm and size of the key do not fit")
