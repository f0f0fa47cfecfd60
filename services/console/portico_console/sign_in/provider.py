from __future__ import annotations

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from portico_contracts.context import REQUEST_ID, REQUEST_ID_HEADER
from portico_contracts.http import KEYS, TOKEN
from portico_oauth.errors import UNAVAILABLE, ErrorCode, Kind
from portico_oauth.jose import VerificationKey, key_id_in
from portico_oauth.opaque import RandomBytes
from portico_runtime.http_client.service_client import Http, ServiceResponse
from portico_runtime.process.clock import Clock

from portico_console.sign_in.assertion import ASSERTION_TYPE, client_assertion
from portico_console.sign_in.id_token import WRONG_ID_TOKEN
from portico_console.sign_in.pending import PendingSignIn
from portico_console.sign_in.relying_party import RelyingParty

TIMEOUT: Final = 5.0
"""Timeout in seconds."""

_KEYS_AGAIN: Final = 5.0
"""Minimum seconds between reloads of the key set for unknown keys."""

CODE_REFUSED = ErrorCode(
    "CONS-103",
    Kind.FAILED_PRECONDITION,
    "This sign-in has expired or was already used.",
    "Sign in again. If that does not help, look for the error of the token endpoint in the log of console.",
)


class Tokens(msgspec.Struct, frozen=True):
    """The token response (RFC 6749 section 5.1, OIDC Core section 3.1.3.3)."""

    access_token: str
    id_token: str
    expires_in: int

    def __repr__(self) -> str:
        """Omits the fields, which are secret."""
        return "Tokens(...)"


class Provider:
    def __init__(
        self,
        token: Http,
        keys: Http,
        client_key: EllipticCurvePrivateKey,
        issuer: str,
        clock: Clock,
        random: RandomBytes,
    ) -> None:
        self._token = token
        self._keys = keys
        self._client_key = client_key
        self._issuer = issuer
        self._clock = clock
        self._random = random
        self._known: dict[str, VerificationKey] = {}
        self._asked = float("-inf")

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        await self._token.close()
        await self._keys.close()

    async def check(self) -> None:
        if not self._known:
            await self._load_keys()

    async def redeem(self, code: str, pending: PendingSignIn, party: RelyingParty) -> Tokens:
        """Redeems a code (RFC 6749 section 4.1.3); the request is never sent twice."""
        assertion = client_assertion(self._client_key, party.client_id, self._issuer, self._clock.now(), self._random)
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": party.redirect_uri,
            "code_verifier": pending.code_verifier,
            "client_id": party.client_id,
            "client_assertion_type": ASSERTION_TYPE,
            "client_assertion": assertion,
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded", REQUEST_ID_HEADER: REQUEST_ID.get()}
        response = await _ask(self._token, "POST", TOKEN, headers, urlencode(form).encode())
        if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise UNAVAILABLE.error(asked="token", status=response.status)
        if response.status != HTTPStatus.OK:
            raise CODE_REFUSED.error(status=response.status, answer=response.body[:300].decode("utf-8", "replace"))
        try:
            return msgspec.json.decode(response.body, type=Tokens)
        except msgspec.DecodeError as error:
            raise CODE_REFUSED.error(cause="the answer is not understood") from error

    async def find_key(self, token: str, absent: ErrorCode = WRONG_ID_TOKEN) -> VerificationKey:
        """For an unknown key the key set is reloaded, at most every few seconds."""
        kid = key_id_in(token) or ""
        now = self._clock.now()
        if kid not in self._known and now - self._asked >= _KEYS_AGAIN:
            await self._load_keys()
        if kid not in self._known:
            raise absent.error(reason="kid")
        return self._known[kid]

    async def _load_keys(self) -> None:
        response = await _ask(self._keys, "GET", KEYS, {REQUEST_ID_HEADER: REQUEST_ID.get()})
        try:
            found: dict[str, list[dict[str, Any]]] = msgspec.json.decode(response.body)
            known = [VerificationKey.from_jwk(jwk) for jwk in found["keys"]]
        except (msgspec.DecodeError, KeyError, TypeError, ValueError) as error:
            raise UNAVAILABLE.error(asked="keys", status=response.status) from error
        self._known = {key.kid: key for key in known}
        self._asked = self._clock.now()


async def _ask(http: Http, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> ServiceResponse:
    try:
        async with asyncio.timeout(TIMEOUT):
            return await http.request(method, path, headers, body)
    except (OSError, TimeoutError) as error:
        raise UNAVAILABLE.error(path=path, cause=type(error).__name__) from error
