"""The relying party, and the options of a ceremony for the browser (WebAuthn, sections 5.4 and 5.5), as JSON with base64url."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.settings.sections.passkey import PasskeySection, origins_in
from webauthn.authentication.generate_authentication_options import generate_authentication_options
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
from webauthn.registration.generate_registration_options import generate_registration_options

from portico_users.credentials.webauthn.ceremonies import SECONDS, Ceremony, Use
from portico_users.credentials.webauthn.stored_credentials import WebAuthnCredential
from portico_users.values.names import is_domain
from portico_users.values.operator_settings import Issuer
from portico_users.values.problems import at

NAME: Final = "Portico"

INVALID_DOMAIN = ErrorCode(
    "USER-505",
    Kind.INVALID_REQUEST,
    "Passkeys cannot be registered for this domain.",
    "Omit the domain, or use the host of the issuer, a parent domain, or a host of PORTICO_PASSKEY_ORIGINS.",
)

_PORTS: Final = {"https": 443, "http": 80}


def contains_host(domain: str, host: str) -> bool:
    """Reports whether a domain is the host, or a parent domain of it."""
    return domain == host or ("." in domain and is_domain(domain) and host.endswith(f".{domain}"))


class RelyingParty:
    """The issuer as relying party; never derived from a request (P6)."""

    def __init__(self, issuer: Issuer, setting: PasskeySection) -> None:
        """`id` is the relying party id of new passkeys; `origins` are those whose pages may use them."""
        parts = urlsplit(issuer)
        self.issuer = issuer
        self.host = parts.hostname or ""
        self.id = setting.passkey_domain or self.host
        related = origins_in(setting.passkey_origins)
        self._related = frozenset(urlsplit(origin).hostname for origin in related)
        port = "" if parts.port in (None, _PORTS.get(parts.scheme)) else f":{parts.port}"
        self.origins = [f"{parts.scheme}://{self.host}{port}", *related]

    def id_for(self, domain: str) -> str:
        """Returns the relying party id for a requested domain: one that contains the issuer's host, or a related host."""
        wanted = domain.lower()
        if not wanted or wanted in self._related:
            return self.id
        if not contains_host(wanted, self.host):
            raise at("domain", INVALID_DOMAIN.error())
        return wanted


def user_handle(user_id: str) -> bytes:
    """Returns at most 64 bytes without personal data (section 14.6.1)."""
    return hashlib.sha256(f"webauthn:{user_id}".encode()).digest()


ALGORITHMS: Final = [Algorithm.ECDSA_SHA_256, Algorithm.EDDSA, Algorithm.RSASSA_PKCS1_v1_5_SHA_256]
"""Supported algorithms, in order of preference."""

_MILLISECONDS: Final = int(SECONDS * 1_000)
_TRANSPORTS: Final = frozenset(transport.value for transport in AuthenticatorTransport)


class UserEntity(NamedTuple):
    login_name: str
    display_name: str


def creation_options(
    ceremony: Ceremony,
    person: UserEntity,
    keys: Sequence[WebAuthnCredential],
    attachment: AuthenticatorAttachment | None = None,
) -> dict[str, dict[str, object]]:
    """Returns options for ``navigator.credentials.create()``, excluding the user's existing credentials."""
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
    # Some browsers store a passkey only if the page requests it; the result shows whether it was stored (section
    # 10.1.3).
    return {"publicKey": {**options_to_json_dict(options), "extensions": {"credProps": True}}}


def request_options(ceremony: Ceremony, keys: Sequence[WebAuthnCredential]) -> dict[str, dict[str, object]]:
    options = generate_authentication_options(
        rp_id=ceremony.rp_id,
        challenge=base64url_to_bytes(ceremony.challenge),
        timeout=_MILLISECONDS,
        allow_credentials=_descriptors(keys),
        user_verification=_verification(ceremony),
    )
    return {"publicKey": options_to_json_dict(options)}


def known_transports(wanted: object) -> tuple[str, ...]:
    """Filters the browser's values; unknown ones are dropped, because transports are only a hint."""
    if not isinstance(wanted, list):
        return ()
    return tuple(sorted({one for one in wanted if isinstance(one, str)} & _TRANSPORTS))


def _verification(ceremony: Ceremony) -> UserVerificationRequirement:
    # A second factor follows a password: possession suffices, and old security keys cannot verify the user.
    return UserVerificationRequirement.REQUIRED if ceremony.user_verified else UserVerificationRequirement.DISCOURAGED


def _descriptors(keys: Sequence[WebAuthnCredential]) -> list[PublicKeyCredentialDescriptor]:
    return [
        PublicKeyCredentialDescriptor(
            id=base64url_to_bytes(key.credential_id),
            transports=[AuthenticatorTransport(one) for one in key.transports] or None,
        )
        for key in keys
    ]
