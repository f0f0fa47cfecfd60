"""Vocabulary of DPoP (RFC 9449): access tokens bound to a key that the client proves to have with each request."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any, Final
from urllib.parse import urlsplit

from portico_oauth.opaque import b64url

SCHEME: Final = "DPoP"
"""The scheme of the Authorization header, and `token_type`."""

HEADER: Final = b"dpop"
NONCE_HEADER: Final = "DPoP-Nonce"
PROOF_TYPE: Final = "dpop+jwt"
PROOF_ALGORITHMS: Final = ("RS256", "ES256", "EdDSA")
FAPI2_ALGORITHMS: Final = ("ES256", "EdDSA")
"""Those of the FAPI 2.0 Security Profile (section 5.4.1) that we have."""

_THUMBPRINT: Final = re.compile(r"[A-Za-z0-9_-]{43}\Z")
_REQUIRED: Final = {"EC": ("crv", "kty", "x", "y"), "RSA": ("e", "kty", "n"), "OKP": ("crv", "kty", "x")}
_ESCAPE: Final = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED: Final = re.compile(r"[A-Za-z0-9._~-]")
_DEFAULT_PORTS: Final = {"https": 443, "http": 80}


def thumbprint(jwk: dict[str, Any]) -> str:
    """Returns the RFC 7638 thumbprint of a public key."""
    required = {name: jwk[name] for name in _REQUIRED[jwk["kty"]]}
    return b64url(hashlib.sha256(json.dumps(required, separators=(",", ":")).encode()).digest())


def is_thumbprint(text: str) -> bool:
    return _THUMBPRINT.match(text) is not None


def token_digest(access_token: str) -> str:
    """Returns the value of the claim `ath`."""
    return b64url(hashlib.sha256(access_token.encode()).digest())


def comparable_uri(uri: str) -> str | None:
    """Returns a URI without query and fragment, normalized (RFC 3986 sections 6.2.2 and 6.2.3); None for others."""
    try:
        parts = urlsplit(uri)
        port, host = parts.port, parts.hostname
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS or not host or "@" in parts.netloc:
        return None
    shown_host = f"[{host}]" if ":" in host else host
    shown_port = "" if port in (None, _DEFAULT_PORTS[scheme]) else f":{port}"
    return f"{scheme}://{shown_host}{shown_port}{_without_dots(_ESCAPE.sub(_normal_escape, parts.path)) or '/'}"


def _normal_escape(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return character if _UNRESERVED.match(character) else found[0].upper()


def _without_dots(path: str) -> str:
    """RFC 3986 section 5.2.4, for an absolute path."""
    kept: list[str] = []
    parts = path.split("/")
    for part in parts[1:]:
        if part == "..":
            del kept[-1:]
        elif part != ".":
            kept.append(part)
    ends_in_dots = parts[-1] in (".", "..")
    return "".join(f"/{part}" for part in kept) + ("/" if ends_in_dots else "")
