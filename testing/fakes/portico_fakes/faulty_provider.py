"""An OpenID provider with one switch for each fault."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, Self
from urllib.parse import parse_qs, unquote_plus, urlsplit

from portico_oauth.jose import SigningKey
from portico_oauth.opaque import b64url
from portico_oauth.pkce import challenge_of
from portico_runtime.http_client.outbound import MAX_BYTES, OutboundResponse
from portico_runtime.http_client.outbound_connection import NoResponse
from portico_runtime.process.clock import Clock

ISSUER: Final = "https://house.example"
CLIENT_ID: Final = "portico at house"
CLIENT_SECRET: Final = "it's: a secret"
ACCESS_TOKEN: Final = "access-token-of-ada"

FAULTS: Final[dict[str, str]] = {
    "discovery: not reachable": "USER-961",
    "discovery: status 500": "USER-961",
    "discovery: status 429": "USER-961",
    "discovery: status 404": "USER-962",
    "discovery: a redirect": "USER-962",
    "discovery: no JSON": "USER-962",
    "discovery: repeated members": "USER-962",
    "discovery: another issuer": "USER-981",
    "discovery: issuer with a slash": "USER-981",
    "discovery: no issuer": "USER-981",
    "discovery: no token endpoint": "USER-962",
    "discovery: no keys address": "USER-962",
    "discovery: an authorization endpoint without https": "USER-962",
    "discovery: a script as authorization endpoint": "USER-962",
    "callback: refused": "USER-979",
    "callback: iss of another": "USER-981",
    "callback: iss announced and missing": "USER-981",
    "callback: refused by another": "USER-981",
    "callback: no code": "USER-962",
    "callback: an endless code": "USER-962",
    "token: not reachable": "USER-961",
    "token: status 500": "USER-961",
    "token: status 429": "USER-961",
    "token: invalid_client": "USER-979",
    "token: invalid_grant": "USER-979",
    "token: an error with status 200": "USER-979",
    "token: no JSON": "USER-962",
    "token: repeated members": "USER-962",
    "token: a list": "USER-962",
    "token: no id_token": "USER-962",
    "token: id_token as an object": "USER-962",
    "id_token: another issuer": "USER-966",
    "id_token: no issuer": "USER-966",
    "id_token: another audience": "USER-967",
    "id_token: no audience": "USER-967",
    "id_token: two audiences without azp": "USER-967",
    "id_token: azp of another": "USER-967",
    "id_token: another nonce": "USER-980",
    "id_token: no nonce": "USER-980",
    "id_token: nonce as a list": "USER-980",
    "id_token: expired": "USER-969",
    "id_token: no exp": "USER-968",
    "id_token: issued in the future": "USER-969",
    "id_token: issued two hours ago": "USER-969",
    "id_token: no iat": "USER-968",
    "id_token: no sub": "USER-968",
    "id_token: a long sub": "USER-968",
    "id_token: at_hash of another token": "USER-980",
    "id_token: alg none": "USER-964",
    "id_token: alg HS256 with the client secret": "USER-964",
    "id_token: an unknown kid": "USER-964",
    "id_token: a key of another": "USER-965",
    "id_token: claims changed": "USER-965",
    "id_token: crit": "USER-963",
    "id_token: repeated members": "USER-963",
    "id_token: encrypted": "USER-963",
    "keys: not reachable": "USER-961",
    "keys: no list": "USER-962",
    "keys: none": "USER-964",
    "keys: for encryption": "USER-964",
    "userinfo: not reachable": "USER-961",
    "userinfo: another sub": "USER-980",
    "userinfo: no sub": "USER-980",
    "userinfo: no JSON": "USER-962",
}
"""Each fault with its expected error."""


@cache
def _rsa_key(kid: str, owner: str = "house") -> SigningKey:
    """Returns the same key for all tests, because a new one takes 100 ms."""
    return SigningKey.generate(kid, "RS256")


_AUTH_METHODS: Final = "token_endpoint_auth_methods_supported"


class FaultyProvider:
    """Implements `portico_users.identity_providers.federation.provider_calls.ProviderClient` and validates its client strictly.

    Attributes:
        fault: the active fault; empty for none.
        claims: claims of the next user; None omits one.
        userinfo: claims added by userinfo.
        key_members: changed members of its key; None omits one.
        knows_client: replaces client authentication by id and secret.
    """

    def __init__(self, clock: Clock, issuer: str = ISSUER) -> None:
        self.clock = clock
        self.issuer = issuer
        self.key_members: dict[str, Any] = {}
        self.knows_client: Callable[[Mapping[str, str]], bool] | None = None
        self.key = _rsa_key("house-1")
        self.fault = ""
        self.claims: dict[str, Any] = {}
        self.userinfo: dict[str, Any] = {}
        self.metadata: dict[str, Any] = {}
        self.asked: list[str] = []
        self.sent: dict[str, str] = {}
        self._challenge = ""
        self._nonce = ""

    async def resolve(self, url: str) -> None:
        """Every name has an address."""

    def follow(self, url: str) -> dict[str, str]:
        """Signs a user in at the authorization endpoint; returns the parameters of the callback."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(url).query, strict_parsing=True).items()}
        self._challenge, self._nonce = query.get("code_challenge", ""), query["nonce"]
        self.sent = query
        parameters = {"code": "the-code", "state": query["state"], "iss": self.issuer}
        match self.fault:
            case "callback: refused":
                parameters = {"error": "access_denied", "state": query["state"], "iss": ISSUER}
            case "callback: refused by another":
                parameters = {"error": "access_denied", "iss": "https://other.example"}
            case "callback: iss of another":
                parameters["iss"] = "https://other.example"
            case "callback: iss announced and missing":
                del parameters["iss"]
            case "callback: no code":
                del parameters["code"]
            case "callback: an endless code":
                parameters["code"] = "c" * 10_000
        return parameters

    def kept_for(self, _owner: str) -> Self:
        return self

    async def get(
        self, url: str, headers: Mapping[str, str] | None = None, *, limit: int = MAX_BYTES
    ) -> OutboundResponse:
        self.asked.append(url)
        if url == f"{self.issuer.rstrip('/')}/.well-known/openid-configuration":
            return self._answer("discovery", self._metadata())
        if url == f"{ISSUER}/keys":
            return self._answer("keys", self._keys())
        if url == f"{ISSUER}/userinfo":
            assert (headers or {}).get("Authorization") == f"Bearer {ACCESS_TOKEN}"
            return self._answer("userinfo", self._userinfo())
        raise NoResponse("nothing listens there")

    async def exchange(self, url: str, fields: Mapping[str, str], headers: Mapping[str, str]) -> OutboundResponse:
        self.asked.append(url)
        assert url == f"{ISSUER}/token"
        wrong = self._wrong_with(fields, headers)
        if wrong or self.fault in ("token: invalid_client", "token: invalid_grant"):
            return OutboundResponse(400, json.dumps({"error": wrong or self.fault.partition(": ")[2]}).encode())
        answer: Any = {"access_token": ACCESS_TOKEN, "token_type": "Bearer", "id_token": self._id_token()}
        match self.fault:
            case "token: an error with status 200":
                answer = {"error": "bad_verification_code"}
            case "token: a list":
                answer = [answer]
            case "token: no id_token":
                del answer["id_token"]
            case "token: id_token as an object":
                answer["id_token"] = {}
        return self._answer("token", answer)

    def _answer(self, what: str, document: Any) -> OutboundResponse:
        match self.fault.removeprefix(f"{what}: "):
            case "not reachable":
                raise NoResponse("nothing listens there")
            case "status 500" | "status 429" | "status 404" as fault:
                return OutboundResponse(int(fault.removeprefix("status ")), b"{}")
            case "a redirect":
                return OutboundResponse(302, json.dumps(document).encode())
            case "no JSON":
                return OutboundResponse(200, b"<html>")
            case "repeated members":
                return OutboundResponse(200, json.dumps(document).encode()[:-1] + b', "issuer": "x", "issuer": "y"}')
        return OutboundResponse(200, json.dumps(document).encode())

    def _metadata(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{ISSUER}/authorize?tenant=7",
            "token_endpoint": f"{ISSUER}/token",
            "jwks_uri": f"{ISSUER}/keys",
            "userinfo_endpoint": f"{ISSUER}/userinfo",
            "authorization_response_iss_parameter_supported": True,
            **self.metadata,
        }
        match self.fault:
            case "discovery: another issuer":
                document["issuer"] = "https://other.example"
            case "discovery: issuer with a slash":
                document["issuer"] += "/"
            case "discovery: no issuer":
                del document["issuer"]
            case "discovery: no token endpoint":
                del document["token_endpoint"]
            case "discovery: no keys address":
                document["jwks_uri"] = None
            case "discovery: an authorization endpoint without https":
                document["authorization_endpoint"] = "http://house.example/authorize"
            case "discovery: a script as authorization endpoint":
                document["authorization_endpoint"] = "javascript:alert(1)"
        return document

    def _keys(self) -> Any:
        jwk = self.key.public_jwk()
        match self.fault:
            case "keys: no list":
                return {"keys": jwk}
            case "keys: none":
                return {"keys": []}
            case "keys: for encryption":
                return {"keys": [{**jwk, "use": "enc"}]}
        members = {**jwk, **self.key_members}
        return {"keys": [{name: value for name, value in members.items() if value is not None}]}

    def _userinfo(self) -> dict[str, Any]:
        document = {"sub": self.claims.get("sub", "ada-there"), **self.userinfo}
        match self.fault:
            case "userinfo: another sub":
                document["sub"] = "root"
            case "userinfo: no sub":
                del document["sub"]
        return document

    def _wrong_with(self, fields: Mapping[str, str], headers: Mapping[str, str]) -> str:
        """Returns the error of a strict token endpoint (RFC 6749 §4.1.3, RFC 7636 §4.6), or an empty string."""
        methods = self.metadata.get(_AUTH_METHODS, ["client_secret_basic"])
        if self.knows_client:
            wrong = "Authorization" in headers or not self.knows_client(fields)
        elif "client_secret_basic" in methods:
            pair = base64.b64decode(headers.get("Authorization", "Basic ").removeprefix("Basic ")).decode()
            client = tuple(map(unquote_plus, pair.split(":", 1)))
            wrong = "client_secret" in fields or client != (CLIENT_ID, CLIENT_SECRET)
        else:
            client = (fields.get("client_id", ""), fields.get("client_secret", ""))
            wrong = "Authorization" in headers or client != (CLIENT_ID, CLIENT_SECRET)
        if wrong:
            return "invalid_client"
        right = (fields["grant_type"], fields["code"]) == ("authorization_code", "the-code")
        right = right and self._has_verifier(fields)
        return "" if right and fields["redirect_uri"] == self.sent["redirect_uri"] else "invalid_grant"

    def _has_verifier(self, fields: Mapping[str, str]) -> bool:
        """A verifier without a challenge is refused, as LinkedIn and Slack do."""
        verifier = fields.get("code_verifier", "")
        return challenge_of(verifier) == self._challenge if self._challenge else not verifier

    def _claims(self) -> dict[str, Any]:
        now = self.clock.now()
        half = hashlib.sha256(ACCESS_TOKEN.encode()).digest()[:16]
        claims: dict[str, Any] = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "sub": "ada-there",
            "iat": now,
            "exp": now + 300,
            "nonce": self._nonce,
            "at_hash": b64url(half),
            **self.claims,
        }
        changes: dict[str, dict[str, Any]] = {
            "another issuer": {"iss": "https://other.example"},
            "no issuer": {"iss": None},
            "another audience": {"aud": "someone else"},
            "no audience": {"aud": None},
            "two audiences without azp": {"aud": [CLIENT_ID, "someone else"]},
            "azp of another": {"azp": "someone else"},
            "another nonce": {"nonce": "of another sign-in"},
            "no nonce": {"nonce": None},
            "nonce as a list": {"nonce": [self._nonce]},
            "expired": {"exp": now - 11},
            "no exp": {"exp": None},
            "issued in the future": {"iat": now + 11},
            "issued two hours ago": {"iat": now - 7_200},
            "no iat": {"iat": None},
            "no sub": {"sub": None},
            "a long sub": {"sub": "a" * 256},
            "at_hash of another token": {"at_hash": b64url(hashlib.sha256(b"another").digest()[:16])},
        }
        claims |= changes.get(self.fault.removeprefix("id_token: "), {})
        return {name: value for name, value in claims.items() if value is not None}

    def _id_token(self) -> str:
        text = json.dumps(self._claims())
        match self.fault:
            case "id_token: an unknown kid":
                return _rsa_key("house-2").sign(text.encode())
            case "id_token: a key of another":
                return _rsa_key("house-1", owner="another").sign(text.encode())
            case "id_token: repeated members":
                return self.key.sign(f'{text[:-1]}, "sub": "root"}}'.encode())
        return self._spoilt(self.key.sign(text.encode()))

    def _spoilt(self, token: str) -> str:
        head, body, tail = token.split(".")
        match self.fault:
            case "id_token: alg none":
                return f"{_part(alg='none')}.{body}."
            case "id_token: alg HS256 with the client secret":
                return f"{_part(alg='HS256', kid='house-1')}.{body}.{tail}"
            case "id_token: crit":
                return f"{_part(alg='RS256', kid='house-1', crit=['x'], x=1)}.{body}.{tail}"
            case "id_token: claims changed":
                return f"{head}.{b64url(json.dumps({**self._claims(), 'sub': 'root'}).encode())}.{tail}"
            case "id_token: encrypted":
                return f"{head}.{body}.{tail}.{tail}.{tail}"
        return token


def _part(**members: Any) -> str:
    return b64url(json.dumps(members).encode())
