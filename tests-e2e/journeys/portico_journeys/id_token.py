"""Checking tokens with PyJWT and joserfc against the published key set, apart from the product's own code."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import httpx
import joserfc.jwt
import jwt
from joserfc.jwk import KeySet


async def key_for(http: httpx.AsyncClient, metadata: dict[str, Any], token: str) -> jwt.PyJWK:
    """The key of the published set that the token's header names.

    Raises:
        KeyError: when the set has no such key.
    """
    answer = await http.get(metadata["jwks_uri"])
    answer.raise_for_status()
    return jwt.PyJWKSet.from_dict(answer.json())[jwt.get_unverified_header(token)["kid"]]


async def checked_claims(
    http: httpx.AsyncClient, metadata: dict[str, Any], token: str, client_id: str, alg: str = "RS256"
) -> dict[str, Any]:
    """The claims of an id_token or JWT access token: signature, issuer, audience and times are right.

    Args:
        alg: the one algorithm it may be signed with.

    Raises:
        jwt.InvalidTokenError: when one of them is not.
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
    """As `checked_claims`, and joserfc comes to the same.

    Raises:
        jwt.InvalidTokenError, joserfc.errors.JoseError: when one of them thinks otherwise.
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
    """The left half of SHA-256, base64url (OIDC Core §3.1.3.6), recomputed."""
    digest = hashlib.sha256(access_token.encode("ascii")).digest()
    return base64.urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()
