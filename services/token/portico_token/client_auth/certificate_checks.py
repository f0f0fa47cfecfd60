"""Checks of client certificates (RFC 8705 section 2). That the client has the private key, the TLS connection proved.

Revocation lists and OCSP are not read: a certificate ends with its validity, its registration, or its CA in the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID
from cryptography.x509.verification import Criticality, ExtensionPolicy, Policy, PolicyBuilder, Store, VerificationError
from portico_contracts.diagnostics import Hint
from portico_contracts.users import PublicKey
from portico_oauth.client_certificates import has_subject
from portico_oauth.jose import VerificationKey
from portico_runtime.process.clock import Clock

_DECOY = "san_dns:client.invalid"
"""A subject that no client has."""


class CertificateChecks:
    def __init__(self, authorities: Iterable[x509.Certificate], clock: Clock) -> None:
        known = list(authorities)
        self._store = Store(known) if known else None
        self._clock = clock

    def fault_of_issued(self, der: bytes, subject: str) -> Hint | None:
        """Why a certificate does not authenticate the client with this registered subject; None if it does.

        One of the known CAs must have issued it itself, also an intermediate CA: the gateways do not pass a chain.
        """
        certificate = _read(der)
        if certificate is None:
            return Hint.MALFORMED
        if (fault := self._fault_of_times(certificate)) is not None:
            return fault
        if not _is_for_clients(certificate):
            return Hint.WRONG_USE
        if not self._is_issued(certificate):
            return Hint.UNKNOWN_ISSUER
        return None if has_subject(certificate, subject) else Hint.WRONG_SUBJECT

    def spend(self, der: bytes) -> None:
        """Looks at a certificate as for `fault_of_issued`, so that every refusal takes the same time (P9)."""
        self.fault_of_issued(der, _DECOY)

    def fault_of_registered(self, der: bytes, keys: Iterable[PublicKey]) -> Hint | None:
        """Why a certificate does not have a registered key; None if it does. Who signed it does not matter."""
        certificate = _read(der)
        if certificate is None:
            return Hint.MALFORMED
        if (fault := self._fault_of_times(certificate)) is not None:
            return fault
        now, found = self._clock.now(), False
        for key in keys:
            if _is_same(key, certificate):
                found = True
                if not key.expires_at or now < key.expires_at:
                    return None
        return Hint.KEY_EXPIRED if found else Hint.OTHER_KEY

    def _fault_of_times(self, certificate: x509.Certificate) -> Hint | None:
        now = self._now()
        if now < certificate.not_valid_before_utc:
            return Hint.NOT_YET_VALID
        return Hint.EXPIRED if now > certificate.not_valid_after_utc else None

    def _is_issued(self, certificate: x509.Certificate) -> bool:
        if self._store is None:
            return False
        builder = PolicyBuilder().store(self._store).time(self._now())
        verifier = builder.extension_policies(ca_policy=_CA, ee_policy=_CLIENT).build_client_verifier()
        try:
            verifier.verify(certificate, [])
        except VerificationError:
            return False
        return True

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def read_authorities(path: str) -> list[x509.Certificate]:
    """Reads a PEM file; none for an empty path. Raises OSError, or ValueError without a certificate."""
    return x509.load_pem_x509_certificates(Path(path).read_bytes()) if path else []


def _read(der: bytes) -> x509.Certificate | None:
    try:
        certificate = x509.load_der_x509_certificate(der)
        certificate.public_key(), certificate.extensions, certificate.subject
    except Exception:  # x509 has no common class of errors
        return None
    return certificate


def _is_for_clients(certificate: x509.Certificate) -> bool:
    """Reports whether its extended key usage, if any, has client authentication, and that it is not of a CA."""
    try:
        usages = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    except x509.ExtensionNotFound:
        usages = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH])
    try:
        is_ca = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    except x509.ExtensionNotFound:
        is_ca = False
    allowed = (ExtendedKeyUsageOID.CLIENT_AUTH, ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE)
    return not is_ca and any(usage in usages for usage in allowed)


def _is_same(key: PublicKey, certificate: x509.Certificate) -> bool:
    try:
        registered = VerificationKey.from_jwk({**key.jwk, "kid": key.kid, "alg": key.alg})
    except ValueError:
        return False
    return registered.public == certificate.public_key()


def _require_ca(_policy: Policy, _certificate: x509.Certificate, found: x509.BasicConstraints) -> None:
    if not found.ca:
        raise ValueError("not a CA")


def _require_signing(_policy: Policy, _certificate: x509.Certificate, found: x509.KeyUsage | None) -> None:
    if found is not None and not found.key_cert_sign:
        raise ValueError("not for certificates")


_CLIENT = ExtensionPolicy.permit_all()
"""The rules of the web for servers, such as a required SAN, are not for clients, whose subject may be a name."""

_CA = (
    ExtensionPolicy.permit_all()
    .require_present(x509.BasicConstraints, Criticality.AGNOSTIC, _require_ca)
    .may_be_present(x509.KeyUsage, Criticality.AGNOSTIC, _require_signing)
)
