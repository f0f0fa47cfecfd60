"""Logout tokens (OpenID Connect Back-Channel Logout 1.0 section 2.4), delivered by authz; the signing keys are here."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from portico_contracts.token import LogoutNotice, LogoutTokens, SignLogoutTokens
from portico_oauth.opaque import RandomBytes, b64url
from portico_runtime.process.clock import Clock

from portico_token.signing.signer import Signer
from portico_token.users_client import UsersClient

LOGOUT_TOKEN_TYPE: Final = "logout+jwt"
LOGOUT_EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
SECONDS: Final = 120
"""Lifetime; a relying party need not store a `jti` longer than this (section 2.6)."""


class LogoutTokenSigner:
    def __init__(
        self, issuer: str, signer: Signer, users_client: UsersClient, clock: Clock, random: RandomBytes
    ) -> None:
        self._issuer = issuer
        self._signer = signer
        self._users_client = users_client
        self._clock = clock
        self._random = random

    async def sign(self, request: SignLogoutTokens) -> LogoutTokens:
        """Returns a token for each notice in order; empty for a client that is no longer active."""
        tokens = []
        for notice in request.notices:
            tokens.append(await self._sign(notice))
            await asyncio.sleep(0)  # signing blocks the loop; other requests run between two signatures (P8)
        return LogoutTokens(tokens=tuple(tokens))

    async def _sign(self, notice: LogoutNotice) -> str:
        client = await self._users_client.find_client(notice.client_id)
        if client is None:
            return ""
        return self._signer.sign(
            self._claims(notice, client.clock_skew_seconds), client.id_token_alg, LOGOUT_TOKEN_TYPE
        )

    def _claims(self, notice: LogoutNotice, skew: int) -> dict[str, Any]:
        """Never with a nonce, so that no relying party can accept it as an id_token (section 2.4)."""
        now = int(self._clock.now())
        return {
            "iss": self._issuer,
            "aud": notice.client_id,
            "iat": now - skew,
            "exp": now + SECONDS + skew,
            "jti": b64url(self._random(16)),
            "events": {LOGOUT_EVENT: {}},
            "sub": notice.user_id,
            "sid": notice.session_id,
        }
