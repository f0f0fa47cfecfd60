"""tls_client_auth and self_signed_tls_client_auth (RFC 8705 sections 2.1 and 2.2)."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from portico_contracts.diagnostics import Hint
from portico_contracts.users import AuthMethod, Client
from portico_oauth.errors import Compared

from portico_token.client_auth.credentials import ClientCertificate, Credentials, IdOnly, SelfSignedCertificate
from portico_token.client_auth.protocol import Method, Ready
from portico_token.domain.clients import CLIENT_AUTHENTICATION, Registration

_MOST_WANTED = 5


def as_registered(credentials: Credentials, methods: Collection[AuthMethod]) -> Credentials:
    """A certificate counts as the client registered it, since requests do not name the method; never for a public client."""
    if not isinstance(credentials, ClientCertificate):
        return credentials
    if AuthMethod.SELF_SIGNED_TLS_CLIENT_AUTH in methods:
        return SelfSignedCertificate(credentials.client_id, credentials.certificate)
    return IdOnly(credentials.client_id) if AuthMethod.NONE in methods else credentials


class TlsClientAuth(Method):
    """A CA of the operator issued the certificate, and it has the registered subject."""

    method: ClassVar[AuthMethod] = AuthMethod.TLS_CLIENT_AUTH
    credentials: ClassVar[type[Credentials]] = ClientCertificate

    async def verify(self, presented: Credentials, client: Client, _endpoint: str, _ready: Ready) -> bool:
        return self._fault_of(presented, client) is None

    def compare(self, presented: Credentials, known: Registration) -> Compared:
        hint = self._fault_of(presented, known.client) or ""
        return Compared(CLIENT_AUTHENTICATION, self.method.value, self._wanted(known.client), hint)

    def spend(self, presented: Credentials) -> None:
        if (checks := self._dependencies.certificates) and isinstance(presented, ClientCertificate):
            checks.spend(presented.certificate)  # as for `verify`
            checks.spend(presented.certificate)  # as for `compare`

    def _fault_of(self, presented: Credentials, client: Client) -> Hint | None:
        checks = self._dependencies.certificates
        if checks is None or type(presented) is not ClientCertificate:
            return Hint.NO_CERTIFICATE
        return checks.fault_of_issued(presented.certificate, client.certificate_subject)

    def _wanted(self, client: Client) -> tuple[str, ...]:
        return (client.certificate_subject,)


class SelfSignedTlsClientAuth(TlsClientAuth):
    """The certificate has a registered key; expired and future ones are refused, and its issuer is not checked."""

    method: ClassVar[AuthMethod] = AuthMethod.SELF_SIGNED_TLS_CLIENT_AUTH
    credentials: ClassVar[type[Credentials]] = SelfSignedCertificate

    def _fault_of(self, presented: Credentials, client: Client) -> Hint | None:
        checks = self._dependencies.certificates
        if checks is None or type(presented) is not SelfSignedCertificate:
            return Hint.NO_CERTIFICATE
        checks.spend(presented.certificate)
        return checks.fault_of_registered(presented.certificate, client.keys)

    def _wanted(self, client: Client) -> tuple[str, ...]:
        return tuple(f"{key.alg} kid={key.kid[:40]}" for key in client.keys[:_MOST_WANTED])
