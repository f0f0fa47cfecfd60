"""Headers by which the gateway passes what only it knows of a connection."""

from __future__ import annotations

from typing import Final

CLIENT_CERTIFICATE: Final = "Client-Cert"
"""The certificate of a TLS connection (RFC 9440)."""

GATEWAY_KEY: Final = "Portico-Gateway-Key"
"""The key that shows that the gateway sent the request."""
