from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.console import ACCOUNT_CLIENT, CONSOLE_CLIENT
from portico_contracts.http import ACCOUNT, CONSOLE
from portico_oauth.assurance import ACR_MULTI_FACTOR

_SCOPE: Final = "openid profile email urn:portico:project:id:portico:aud"
"""The last scope adds the management API to the audience."""


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """`name` is part of its cookies' names; `acr_values` is voluntary (OIDC Core section 3.1.2.1)."""

    name: str
    client_id: str
    origin: str
    path: str
    acr_values: str = ""
    scope: str = _SCOPE

    @property
    def redirect_uri(self) -> str:
        return f"{self.origin}{self.path}/callback"

    @property
    def signed_out_uri(self) -> str:
        return f"{self.origin}{self.path}/signed-out"

    def owns(self, path: str) -> bool:
        return path == self.path or path.startswith((f"{self.path}/", f"{self.path}?"))


def console_party(origin: str) -> RelyingParty:
    """The management console, which prefers a second factor."""
    return RelyingParty("console", CONSOLE_CLIENT, origin, CONSOLE, acr_values=ACR_MULTI_FACTOR)


def account_party(issuer: str) -> RelyingParty:
    """The account page, always at the issuer's origin, because passkeys are bound to its host."""
    return RelyingParty("account", ACCOUNT_CLIENT, issuer, ACCOUNT)
