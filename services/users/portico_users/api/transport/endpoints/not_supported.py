"""Addresses of the well-known original that are deliberately not served: code 12 with what to do instead, and no 404."""

from __future__ import annotations

import re
from typing import Final

from portico_oauth.errors import ErrorCode, Kind

NO_SAML = ErrorCode(
    "USER-640",
    Kind.UNIMPLEMENTED,
    "SAML identity providers are not supported.",
    "Add the provider by OpenID Connect, or use a bridge from SAML to OpenID Connect.",
)

_SAML: Final = re.compile(rb"/(?:management|admin)/v1/idps/saml(?:/[^/]+(?:/_generate_certificate)?)?\Z")


def refuse_unsupported(verb: str, raw_path: bytes) -> None:
    """Raises USER-640 for the operations on SAML identity providers."""
    if verb in ("POST", "PUT") and _SAML.match(raw_path):
        raise NO_SAML.error()
