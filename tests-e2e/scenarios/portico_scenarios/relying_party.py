"""Requests of a relying party, built by hand so that tests can change each part."""

from __future__ import annotations

import base64
import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlencode

import httpx
from portico_harness.key_pairs import KeyPair

ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


@dataclass(frozen=True, slots=True)
class Client:
    client_id: str
    redirect_uri: str
    secret: str = field(default="", repr=False)
    auth_method: str = "client_secret_basic"
    key: KeyPair | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    form: dict[str, str] = field(repr=False)
    headers: dict[str, str] = field(repr=False)


def proof_of(client: Client, audience: str) -> Proof:
    """Returns the client's registered authentication.

    Args:
        audience: of an assertion; each call creates a new one.
    """
    match client.auth_method:
        case "client_secret_basic":
            return Proof({}, {"Authorization": basic(client.client_id, client.secret)})
        case "client_secret_post":
            return Proof({"client_id": client.client_id, "client_secret": client.secret}, {})
        case "private_key_jwt":
            assert client.key is not None, f"{client.client_id} has no key"
            assertion = client.key.assertion(client.client_id, audience)
            return Proof({"client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion}, {})
        case _:
            return Proof({"client_id": client.client_id}, {})


def basic(client_id: str, secret: str) -> str:
    """Returns the header, both parts form-encoded first (RFC 6749 §2.3.1)."""
    return "Basic " + base64.b64encode(f"{quote(client_id, safe='')}:{quote(secret, safe='')}".encode()).decode()


@dataclass(frozen=True, slots=True)
class Begun:
    url: str
    state: str
    nonce: str
    verifier: str


def begin(metadata: dict[str, Any], client: Client, **changes: str | None) -> Begun:
    """Builds a code request with PKCE, state and nonce.

    Args:
        metadata: the discovery document.
        changes: parameters to set; None removes one.
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
    """Returns BASE64URL(SHA256(verifier)) (RFC 7636 §4.6), independently of the product."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


async def redeem(
    http: httpx.AsyncClient, metadata: dict[str, Any], client: Client, code: str, **changes: str | None
) -> httpx.Response:
    """Sends the token request for a code with the client's registered authentication.

    Args:
        changes: form fields to set, such as ``code_verifier``; None removes one.
    """
    proof = proof_of(client, metadata["issuer"])
    wanted: dict[str, str | None] = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": client.redirect_uri,
        **proof.form,
        **changes,
    }
    data = {name: value for name, value in wanted.items() if value is not None}
    return await http.post(metadata["token_endpoint"], data=data, headers=proof.headers)


async def userinfo(http: httpx.AsyncClient, metadata: dict[str, Any], access_token: str) -> httpx.Response:
    return await http.get(metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {access_token}"})
