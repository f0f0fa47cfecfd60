"""Verifies tokens with PyJWT and joserfc against the published key set, independently of the product's code."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import httpx
import joserfc.jwt
import jwt
from joserfc.jwk import KeySet


async def key_for(http: httpx.AsyncClient, metadata: dict[str, Any], token: str) -> jwt.PyJWK:
    """Returns the published key named by the token's header.

    Raises:
        KeyError: when the set lacks it.
    """
    answer = await http.get(metadata["jwks_uri"])
    answer.raise_for_status()
    return jwt.PyJWKSet.from_dict(answer.json())[jwt.get_unverified_header(token)["kid"]]


async def checked_claims(
    http: httpx.AsyncClient, metadata: dict[str, Any], token: str, client_id: str, alg: str = "RS256"
) -> dict[str, Any]:
    """Verifies signature, issuer, audience and times of an id_token or JWT access token; returns its claims.

    Args:
        alg: the only accepted algorithm.

    Raises:
        jwt.InvalidTokenError: when the token is invalid.
    """
    claims: dict[str, Any] = jwt.decode(
        token,
        await key_for(http, metadata, token),
        algorithms=[alg],
        audience=client_id,
        issuer=metadata["issuer"],
        options={"require": ["iss", "sub", "aud", "exp", "iat"]},
    )
    return claims


async def doubly_checked_claims(
    http: httpx.AsyncClient, metadata: dict[str, Any], token: str, client_id: str, alg: str = "RS256"
) -> dict[str, Any]:
    """Like `checked_claims`, verified with joserfc too.

    Raises:
        jwt.InvalidTokenError, joserfc.errors.JoseError: when the token is invalid.
    """
    claims = await checked_claims(http, metadata, token, client_id, alg)
    keys = KeySet.import_key_set((await http.get(metadata["jwks_uri"])).json())
    decoded = joserfc.jwt.decode(token, keys, algorithms=[alg])
    expected = joserfc.jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": metadata["issuer"]},
        aud={"essential": True, "value": client_id},
        sub={"essential": True},
        exp={"essential": True},
        iat={"essential": True},
    )
    expected.validate(decoded.claims)
    assert decoded.claims == claims
    return claims


def at_hash(access_token: str) -> str:
    """Returns the left half of SHA-256, base64url (OIDC Core §3.1.3.6)."""
    digest = hashlib.sha256(access_token.encode("ascii")).digest()
    return base64.urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()
