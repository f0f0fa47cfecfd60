"""The revocation endpoint (RFC 7009).

Only the client that a token was issued to may revoke it, and learns nothing about other tokens (IR-07); an
access token is revoked alone, a refresh token with its whole grant (IR-08); the response is 200 only once the
write is durable (IR-05). A text that is not a live token counts as revoked.
"""

from __future__ import annotations

from typing import Final

from portico_contracts.diagnostics import Hint
from portico_contracts.http import REVOKE
from portico_contracts.users import AuthMethod
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_runtime.process.clock import Clock
from portico_web.headers import NO_STORE
from starlette.requests import Request
from starlette.responses import Response

from portico_token.client_auth.authentication import ClientAuthentication
from portico_token.credential_form import load_token, read_presented
from portico_token.domain.grants import GrantStore
from portico_token.domain.revocations import IssuedKind, RevocationStore, StatelessToken
from portico_token.known_client import note_client
from portico_token.token_reader import GrantToken, TokenReader

METHODS: Final = frozenset(AuthMethod)

FOREIGN_TOKEN = ErrorCode(
    "TOKEN-210",
    Kind.INVALID_CLIENT,
    "The token was not issued to this client.",
    "Only the client a token was issued to may revoke it.",
)


class Revocation:
    def __init__(
        self,
        authentication: ClientAuthentication,
        reader: TokenReader,
        grants: GrantStore,
        revocations: RevocationStore,
        clock: Clock,
    ) -> None:
        self._authentication = authentication
        self._reader = reader
        self._grants = grants
        self._revocations = revocations
        self._clock = clock

    async def answer(self, request: Request) -> Response:
        """`token_type_hint` is ignored: the format of a token determines its type."""
        # 1 Read the form once.
        presented = await read_presented(request)
        # 2 Authenticate the client.
        client = (await self._authentication.authenticate(presented, METHODS, REVOKE)).client
        note_client(request, client)
        # 3 Revoke the token if it is this client's.
        match self._reader.read(load_token(presented.form)):
            case GrantToken() as token:
                await self._end(token, client.client_id)
            case StatelessToken() as token:
                await self._deny(token, client.client_id)
        # 4 Done, or there was nothing to do.
        return Response(headers=NO_STORE)

    async def _end(self, token: GrantToken, client_id: str) -> None:
        issued = await self._revocations.find_issued(token.grant_id, token.fingerprint)
        if issued is None:
            return
        refuse_foreign_token(issued.client_id, client_id)
        if issued.kind is IssuedKind.REFRESH_TOKEN:
            await self._grants.revoke(token.grant_id)
        else:
            await self._revocations.revoke_access_token(token.grant_id, token.fingerprint)

    async def _deny(self, token: StatelessToken, client_id: str) -> None:
        if token.expires <= self._clock.now():
            return
        refuse_foreign_token(token.client_id, client_id)
        await self._revocations.deny(token)


def refuse_foreign_token(owner: str, client_id: str) -> None:
    """Raises TOKEN-210 unless the token was issued to this client."""
    if owner != client_id:
        compared = Compared("token", hint=Hint.OTHER_CLIENT)
        raise FOREIGN_TOKEN.error(client=client_id, owner=owner, compared=compared)
