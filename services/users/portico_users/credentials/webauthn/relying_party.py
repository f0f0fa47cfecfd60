"""The relying party of a credential, and the pages it may be used on (WebAuthn, section 5.1.2)."""

from __future__ import annotations

import hashlib
from typing import Final
from urllib.parse import urlsplit

from portico_oauth.errors import ErrorCode, Kind

from portico_users.kernel.names import is_domain
from portico_users.kernel.operator_settings import Issuer
from portico_users.kernel.problems import at

NAME: Final = "Portico"
"""What a browser may show."""

INVALID_DOMAIN = ErrorCode(
    "USER-505",
    Kind.INVALID_REQUEST,
    "Passkeys cannot be registered for this domain.",
    "Omit the domain, or use the host of the issuer or a parent domain.",
)

_PORTS: Final = {"https": 443, "http": 80}


class RelyingParty:
    """The issuer, as browsers and keys see it. Nothing of it comes from a request (P6)."""

    def __init__(self, issuer: Issuer) -> None:
        parts = urlsplit(issuer)
        self.issuer = issuer
        self.host = parts.hostname or ""
        port = "" if parts.port in (None, _PORTS.get(parts.scheme)) else f":{parts.port}"
        self.origin = f"{parts.scheme}://{self.host}{port}"

    def id_for(self, domain: str) -> str:
        """The relying party id for a requested domain; USER-505 for a domain the issuer does not lie in."""
        wanted = domain.lower() or self.host
        above = "." in wanted and is_domain(wanted) and self.host.endswith(f".{wanted}")
        if wanted != self.host and not above:
            raise at("domain", INVALID_DOMAIN.error())
        return wanted


def user_handle(user_id: str) -> bytes:
    """The user handle: at most 64 bytes without personal data (section 14.6.1)."""
    return hashlib.sha256(f"webauthn:{user_id}".encode()).digest()
