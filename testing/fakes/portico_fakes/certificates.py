"""Certificates of clients, as the gateway passes them to token (RFC 8705)."""

from __future__ import annotations

import atexit
import base64
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from cryptography.x509 import DNSName
from jwt.algorithms import ECAlgorithm
from portico_contracts.users import PublicKey
from portico_harness.client_certificates import Issued, new_authority, new_certificate

from portico_fakes.clock import FrozenClock

ALIAS: Final = "https://mtls.id.example.test"
KEY_OF_GATEWAY: Final = "key-of-the-gateway-0123456789-abcdef"
NOW: Final = FrozenClock().now()
SUBJECT: Final = "san_dns:client.example.test"
AUTHORITY: Final = new_authority(now=NOW, days=(-100, 100))
CERTIFICATE: Final = new_certificate("CN=client", by=AUTHORITY, names=[DNSName("client.example.test")], now=NOW)
SELF_SIGNED: Final = new_certificate("CN=client", now=NOW)
STRANGE: Final = new_certificate("CN=client", names=[DNSName("client.example.test")], now=NOW)
"""With the registered subject, but of no CA, and with no registered key."""


@cache
def authority_file() -> str:
    directory = tempfile.TemporaryDirectory()
    atexit.register(directory.cleanup)
    path = Path(directory.name) / "authorities.pem"
    path.write_text(AUTHORITY.pem)
    return str(path)


def registered_key(issued: Issued = SELF_SIGNED, *, expires_at: float = 0) -> PublicKey:
    jwk = ECAlgorithm.to_jwk(issued.key.public_key(), as_dict=True)
    members = {name: str(value) for name, value in jwk.items() if name != "key_ops"}
    return PublicKey(kid="certificate", alg="ES256", jwk=members, expires_at=expires_at)


def gateway_headers(issued: Issued | None = None, *, key: str = KEY_OF_GATEWAY) -> dict[str, str]:
    """The headers that the gateway adds at its address for certificates."""
    der = base64.b64encode(issued.der).decode() if issued else ""
    return {"Portico-Gateway-Key": key, "Client-Cert": f":{der}:"}
