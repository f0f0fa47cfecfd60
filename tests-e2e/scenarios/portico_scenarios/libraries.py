"""Third-party clients, Authlib and requests-oauthlib, configured for a client of the scenarios."""

from __future__ import annotations

import time
from typing import Any

import jwt
from authlib.integrations.httpx_client import AsyncAssertionClient, AsyncOAuth2Client
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from oauthlib.oauth2.rfc6749.clients.backend_application import BackendApplicationClient
from oauthlib.oauth2.rfc6749.clients.service_application import ServiceApplicationClient
from portico_harness.key_pairs import KeyPair
from requests_oauthlib.oauth2_session import OAuth2Session

from portico_scenarios.relying_party import Client, proof_of

# Neither library has type annotations.
_Authlib: Any = AsyncOAuth2Client
_AuthlibAssertion: Any = AsyncAssertionClient
_PrivateKeyJwt: Any = PrivateKeyJWT
_Session: Any = OAuth2Session
_Backend: Any = BackendApplicationClient
_Service: Any = ServiceApplicationClient


def authlib_client(issuer: str, client: Client, scope: str) -> Any:
    """Returns Authlib's client, an async context; the audience of its assertions is the issuer."""
    made = _Authlib(
        client.client_id,
        client.key.private if client.key else client.secret,
        token_endpoint_auth_method=client.auth_method,
        revocation_endpoint_auth_method=client.auth_method,
        redirect_uri=client.redirect_uri or None,
        scope=scope,
        code_challenge_method="S256",
        trust_env=False,
        timeout=30,
    )
    if client.key:
        headers = {"kid": client.key.kid}
        made.register_client_auth_method(_PrivateKeyJwt(issuer, headers=headers, alg=client.key.alg))
    return made


def authlib_assertion_client(metadata: dict[str, Any], user_id: str, key: KeyPair, audience: str, scope: str) -> Any:
    """Returns Authlib's client of the JWT profile, which gets its token with the first request."""
    return _AuthlibAssertion(
        metadata["token_endpoint"],
        issuer=user_id,
        subject=user_id,
        audience=audience,
        scope=scope,
        key=key.private,
        alg=key.alg,
        header={"kid": key.kid},
        trust_env=False,
        timeout=30,
    )


class Oauthlib:
    """requests-oauthlib for one client; it blocks, so use it in a thread.

    Args:
        metadata: the discovery document.
    """

    def __init__(self, metadata: dict[str, Any], client: Client, scope: str) -> None:
        self._metadata = metadata
        self._client = client
        self._scope = scope.split(" ")
        self._in_header = client.auth_method == "client_secret_basic"
        self._session = self._new(redirect_uri=client.redirect_uri, pkce="S256")

    def authorization_url(self) -> str:
        url: str = self._session.authorization_url(self._metadata["authorization_endpoint"])[0]
        return url

    def redeem(self, location: str) -> dict[str, Any]:
        proof = self._proof()
        proof.pop("client_id", None)  # the library adds it
        endpoint = self._metadata["token_endpoint"]
        more = {"authorization_response": location, "include_client_id": not self._in_header, **proof}
        return dict(self._session.fetch_token(endpoint, **more))

    def refresh(self) -> dict[str, Any]:
        return dict(self._session.refresh_token(self._metadata["token_endpoint"], **self._proof()))

    def userinfo(self) -> dict[str, Any]:
        claims: dict[str, Any] = self._session.get(self._metadata["userinfo_endpoint"]).json()
        return claims

    def revoke(self, token: str) -> int:
        proof = self._proof()
        auth = proof.pop("auth", None)
        form = {"token": token, **proof}
        answer = self._session.post(self._metadata["revocation_endpoint"], data=form, withhold_token=True, auth=auth)
        status: int = answer.status_code
        return status

    def client_credentials(self) -> dict[str, Any]:
        session = self._new(client=_Backend(self._client.client_id, scope=self._scope))
        endpoint, secret = self._metadata["token_endpoint"], self._client.secret
        return dict(session.fetch_token(endpoint, client_secret=secret, include_client_id=not self._in_header))

    def jwt_profile(self, key: KeyPair) -> dict[str, Any]:
        """Returns the tokens of a service user with a key; oauthlib signs the assertion with PyJWT and without a
        jti.
        """
        user_id = self._client.client_id
        parties = {"subject": user_id, "issuer": user_id, "audience": self._metadata["issuer"]}
        session = self._new(client=_Service(user_id, key.private_pem, scope=self._scope, **parties))

        def name_the_key(url: str, headers: Any, request: Any) -> tuple[str, Any, Any]:
            # The library cannot set a kid, so the server could not select the registered key.
            claims = jwt.decode(request["data"]["assertion"], options={"verify_signature": False})
            request["data"]["assertion"] = jwt.encode(claims, key.private_pem, key.alg, headers={"kid": key.kid})
            return url, headers, request

        session.register_compliance_hook("access_token_request", name_the_key)
        soon = int(time.time()) + 60
        return dict(session.fetch_token(self._metadata["token_endpoint"], include_client_id=True, expires_at=soon))

    def _new(self, **more: Any) -> Any:
        session = _Session(self._client.client_id, scope=self._scope, **more)
        session.trust_env = False
        return session

    def _proof(self) -> dict[str, Any]:
        if self._in_header:
            return {"auth": (self._client.client_id, self._client.secret)}
        return dict(proof_of(self._client, self._metadata["issuer"]).form)
