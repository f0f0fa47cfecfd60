"""Values of `grant_type` (RFC 6749 §4, RFC 7523 §2.1)."""

from __future__ import annotations

from typing import Final

AUTHORIZATION_CODE: Final = "authorization_code"
REFRESH_TOKEN: Final = "refresh_token"
CLIENT_CREDENTIALS: Final = "client_credentials"
JWT_BEARER: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
IMPLICIT: Final = "implicit"
"""Never a value at the token endpoint: clients may be registered for it, discovery names it."""
