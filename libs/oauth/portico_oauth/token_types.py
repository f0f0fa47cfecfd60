"""Token type identifiers (RFC 8693 section 3)."""

from __future__ import annotations

from typing import Final

ACCESS_TOKEN: Final = "urn:ietf:params:oauth:token-type:access_token"
