"""Checking tokens with PyJWT against the published key set, apart from the product's own code."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import httpx
import jwt


async def key_for(http: httpx.AsyncClient, metadata: dict[str, Any], token: str) -> jwt.PyJWK:
    """The key of the published set that the token's header names.

    Raises:
        KeyError: when the set has no such key.
    """
    answer = await http.get(metadata["jwks_uri"])
    answer.raise_for_status()
    return jwt.PyJWKSet.from_dict(answer.json())[jwt.get_unverified_header(token)["kid"]]


async def checked_claims(
    http: httpx.AsyncClient, metadata: dict[str, Any], token: str, client_id: str
) -> dict[str, Any]:
    """The claims of an id_token or JWT access token: RS256 signature, issuer, audience and times are right.

    Raises:
        jwt.InvalidTokenError: when one of them is not.
    """
    claims: dict[str, Any] = jwt.decode(
        token,
        await key_for(http, metadata, token),
        algorithms=["RS256"],
        audience=client_id,
        issuer=metadata["issuer"],
        options={"require": ["iss", "sub", "aud", "exp", "iat"]},
    )
    return claims


def at_hash(access_token: str) -> str:
    """The left half of SHA-256, base64url (OIDC Core §3.1.3.6), recomputed."""
    digest = hashlib.sha256(access_token.encode("ascii")).digest()
    return base64.urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()
