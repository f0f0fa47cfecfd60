"""The requests of a relying party, built by hand so that tests can spoil each part of them."""

from __future__ import annotations

import base64
import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

import httpx


@dataclass(frozen=True, slots=True)
class Client:
    """A registered client."""

    client_id: str
    redirect_uri: str
    secret: str = field(default="", repr=False)
    auth_method: str = "client_secret_basic"


@dataclass(frozen=True, slots=True)
class Begun:
    """An authorization request, with what the relying party keeps of it."""

    url: str
    state: str
    nonce: str
    verifier: str


def begin(metadata: dict[str, Any], client: Client, **changes: str | None) -> Begun:
    """A code request with PKCE, state and nonce.

    Args:
        metadata: the discovery document.
        changes: parameters to set; None leaves one out.
    """
    state, nonce, verifier = (secrets.token_hex(n) for n in (16, 16, 32))
    wanted: dict[str, str | None] = {
        "client_id": client.client_id,
        "redirect_uri": client.redirect_uri,
        "response_type": "code",
        "scope": "openid profile email",
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge(verifier),
        "code_challenge_method": "S256",
        **changes,
    }
    query = urlencode({name: value for name, value in wanted.items() if value is not None}, quote_via=quote)
    return Begun(f"{metadata['authorization_endpoint']}?{query}", state, nonce, verifier)


def challenge(verifier: str) -> str:
    """BASE64URL(SHA256(verifier)) (RFC 7636 §4.6), computed apart from the product."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


async def redeem(
    http: httpx.AsyncClient, metadata: dict[str, Any], client: Client, code: str, **changes: str | None
) -> httpx.Response:
    """The token request for a code, authenticated as the client is registered.

    Args:
        changes: form fields to set, ``code_verifier`` above all; None leaves one out.
    """
    wanted: dict[str, str | None] = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": client.redirect_uri,
    }
    auth: httpx.BasicAuth | None = None
    match client.auth_method:
        case "client_secret_basic":
            auth = httpx.BasicAuth(quote(client.client_id, safe=""), quote(client.secret, safe=""))
        case "client_secret_post":
            wanted |= {"client_id": client.client_id, "client_secret": client.secret}
        case _:
            wanted["client_id"] = client.client_id
    wanted |= changes
    data = {name: value for name, value in wanted.items() if value is not None}
    if auth is None:
        return await http.post(metadata["token_endpoint"], data=data)
    return await http.post(metadata["token_endpoint"], data=data, auth=auth)


async def userinfo(http: httpx.AsyncClient, metadata: dict[str, Any], access_token: str) -> httpx.Response:
    """Asks userinfo with a bearer token."""
    return await http.get(metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {access_token}"})
