"""The two applications of this service, as relying parties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.console import ACCOUNT_CLIENT, CONSOLE_CLIENT
from portico_contracts.http import ACCOUNT, CONSOLE
from portico_oauth.assurance import ACR_MULTI_FACTOR

_SCOPE: Final = "openid profile email urn:portico:project:id:portico:aud"
"""The last one makes users of the management API out of the tokens."""


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """One application.

    Args:
        name: short; part of the names of its cookies.
        client_id: as the document declares it.
        origin: scheme, host and port it is at.
        path: everything of it is there or below.
        acr_values: what it asks of a sign-in, without insisting (OIDC Core §3.1.2.1).
    """

    name: str
    client_id: str
    origin: str
    path: str
    acr_values: str = ""
    scope: str = _SCOPE

    @property
    def redirect_uri(self) -> str:
        """Where codes are sent."""
        return f"{self.origin}{self.path}/callback"

    @property
    def signed_out_uri(self) -> str:
        """Where browsers come back to after a sign-out at the provider."""
        return f"{self.origin}{self.path}/signed-out"

    def owns(self, path: str) -> bool:
        """Whether an address without origin is one of its pages."""
        return path == self.path or path.startswith((f"{self.path}/", f"{self.path}?"))


def console_party(origin: str) -> RelyingParty:
    """The management console; people who have a second factor use it."""
    return RelyingParty("console", CONSOLE_CLIENT, origin, CONSOLE, acr_values=ACR_MULTI_FACTOR)


def account_party(issuer: str) -> RelyingParty:
    """The account page; always at the issuer's own origin, because passkeys are bound to its host."""
    return RelyingParty("account", ACCOUNT_CLIENT, issuer, ACCOUNT)
