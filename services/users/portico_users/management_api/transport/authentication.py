"""Resolves access tokens (RFC 6750, RFC 9449) to callers with permissions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from portico_contracts.token import AUTHENTICATE_BEARER, AuthenticateBearer, Bearer
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.jose import MAX_TOKEN
from portico_oauth.opaque import fingerprint
from portico_oauth.scopes import OWN_PROJECT
from portico_runtime.process.clock import Clock

from portico_users.accounts.account import active_account
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.callers import MongoCallers
from portico_users.bus import Bus
from portico_users.management_api.transport.caller import Caller, SignedIn, caller_of
from portico_users.management_api.transport.metadata import Metadata
from portico_users.service_users.personal_access_tokens import PREFIX, is_good
from portico_users.storage.gathering import Gathering

NO_TOKEN = ErrorCode(
    "USER-310", Kind.UNAUTHENTICATED, "The access token is missing.", "Send Authorization: Bearer and one token."
)
INVALID_TOKEN = ErrorCode(
    "USER-311",
    Kind.UNAUTHENTICATED,
    "The access token is not active, or not for this API, which needs the scope urn:portico:project:id:portico:aud.",
    "Request a new token with this scope, for example with `portico token`.",
)

_CREDENTIALS: Final = re.compile(r"(?i:(bearer|dpop)) +([A-Za-z0-9._~+/-]+=*)\Z")


class BearerTokens:
    """Introspects access tokens at token; concurrent calls with the same access token share one request."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._bearers: Gathering[str, Bearer] = Gathering(self._ask, lane_of=lambda token: token)

    async def find(self, token: str) -> Bearer | None:
        return await self._bearers.find(token)

    async def _ask(self, tokens: Sequence[str]) -> Mapping[str, Bearer]:
        (token,) = tokens
        bearer = (
            await self._bus.call(AUTHENTICATE_BEARER, AuthenticateBearer(token=token, audience=OWN_PROJECT))
        ).bearer
        return {token: bearer} if bearer else {}

    async def find_bound(self, token: str, metadata: Metadata) -> Bearer | None:
        """Introspects a token that was sent with proofs. Raises TOKEN-301..315."""
        ask = AuthenticateBearer(
            token=token, audience=OWN_PROJECT, proofs=metadata.proofs, method=metadata.method, path=metadata.path
        )
        return (await self._bus.call(AUTHENTICATE_BEARER, ask)).bearer


@dataclass(frozen=True, slots=True)
class Authentication:
    bearers: BearerTokens
    accounts: MongoAccounts
    callers: MongoCallers
    clock: Clock

    async def authenticate(self, metadata: Metadata) -> Caller:
        """Reads the caller from the database for each call: removing a role takes effect immediately (MG-06)."""
        token, is_bound = _token(metadata.authorization)
        if is_bound:  # never a personal access token
            bearer = await self.bearers.find_bound(token, metadata)
        else:
            bearer = None if token.startswith(PREFIX) else await self.bearers.find(token)
        user_id = bearer.user_id if bearer else await self._of_personal(token, is_bound=is_bound)
        if user_id is None:
            raise INVALID_TOKEN.error()
        found = await self.callers.find(user_id)
        account = active_account(found.user, found.org) if found else None
        if found is None or account is None:
            raise INVALID_TOKEN.error(user=user_id)
        signed_in = _sign_in_of(bearer) if bearer and bearer.auth_time else None
        return caller_of(account.user.id, account.org.id, found.memberships, org=account.org, signed_in=signed_in)

    async def _of_personal(self, token: str, *, is_bound: bool) -> str | None:
        """Returns the user of a personal access token, whatever its audience; None for other tokens."""
        if is_bound or not token.startswith(PREFIX):
            return None
        hash = fingerprint(token)
        service_user = await self.accounts.find_service_user_with_token(hash)
        good = service_user is not None and is_good(service_user.personal_tokens, hash, self.clock.now())
        return service_user.id if service_user and good else None


def _sign_in_of(bearer: Bearer) -> SignedIn:
    """Treats a sign-in of unknown age as an old one."""
    at = bearer.auth_time if bearer.auth_time_proven else 0
    return SignedIn(bearer.client_id, at, bearer.session_id, bearer.session_began)


def _token(headers: tuple[str, ...]) -> tuple[str, bool]:
    """Returns the token, and whether its scheme is DPoP."""
    if len(headers) != 1:
        raise NO_TOKEN.error(headers=len(headers))
    found = _CREDENTIALS.match(headers[0]) if len(headers[0]) <= MAX_TOKEN + len("Bearer ") else None
    if found is None:
        raise NO_TOKEN.error()
    return found[2], found[1].lower() != "bearer"
