"""The userinfo endpoint (OIDC Core §5.3): what the scopes of an access token say about its user."""

from __future__ import annotations

import msgspec
from portico_oauth.errors import Fact, Kind
from portico_oauth.scopes import OPENID
from portico_web.headers import NO_STORE
from starlette.requests import Request
from starlette.responses import Response

from portico_token.active_tokens import ActiveTokens
from portico_token.bearer import read_bearer
from portico_token.domain.claims import person_claims

TOKEN_INACTIVE = Fact(
    "TOKEN-064",
    Kind.TOKEN_REFUSED,
    "The access token is not active.",
    "Get a new one; it may have expired or been revoked.",
)
NO_OPENID = Fact("TOKEN-065", Kind.SCOPE_MISSING, "The access token has no scope openid.", "Ask for the scope openid.")

_encode = msgspec.json.Encoder().encode


class Userinfo:
    """Answers ``GET`` and ``POST /oidc/v1/userinfo``."""

    def __init__(self, tokens: ActiveTokens) -> None:
        self._tokens = tokens

    async def answer(self, request: Request) -> Response:
        """Runs the steps.

        Raises:
            Refusal: of the step that refused.
        """
        # 1 Read the one token.
        text = await read_bearer(request)
        # 2 Is it active, and are its client and user still there?
        active = await self._tokens.find(text)
        if active is None:
            raise TOKEN_INACTIVE.refusal()
        # 3 Is it for this?
        if OPENID not in active.token.scope:
            raise NO_OPENID.refusal()
        # 4 What its scope says of the user, and last who that is (JW-20).
        claims = person_claims(active.person, active.token.scope, active.grant.userinfo_claims)
        claims["sub"] = active.grant.user_id
        return Response(_encode(claims), media_type="application/json", headers=NO_STORE)
