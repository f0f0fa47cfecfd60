"""Whose token is it (RFC 6750), and what may they do?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from portico_contracts.token import AUTHENTICATE_BEARER, AuthenticateBearer
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.jose import MAX_TOKEN
from portico_oauth.opaque import fingerprint
from portico_oauth.scopes import OWN_PROJECT
from portico_runtime.clock import Clock

from portico_users.api.transport.caller import Caller, caller_of
from portico_users.api.transport.metadata import Metadata
from portico_users.directory.accounts.account import active_account
from portico_users.directory.accounts.callers import MongoCallers
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.service_users.personal_access_tokens import PREFIX, is_good
from portico_users.kernel.bus import Bus

NO_TOKEN = ErrorCode(
    "USER-310", Kind.UNAUTHENTICATED, "There is no access token.", "Send Authorization: Bearer and one token."
)
INVALID_TOKEN = ErrorCode(
    "USER-311",
    Kind.UNAUTHENTICATED,
    "The access token is not active, or not for this API, which needs the scope urn:portico:project:id:portico:aud.",
    "Request a new one with this scope; `portico token` does.",
)

_CREDENTIALS: Final = re.compile(r"(?i:bearer) +([A-Za-z0-9._~+/-]+=*)\Z")


@dataclass(frozen=True, slots=True)
class Authentication:
    """Finds the caller of a call."""

    bus: Bus
    accounts: MongoAccounts
    callers: MongoCallers
    clock: Clock

    async def authenticate(self, metadata: Metadata) -> Caller:
        """The caller, read from the store for each call: a role that was removed just before has no effect any more (MG-06).

        Raises:
            ServiceError: USER-310, USER-311, `unavailable` when token or the database cannot be asked.
        """
        token = _token(metadata.authorization)
        user_id = await (self._of_personal(token) if token.startswith(PREFIX) else self._of_access_token(token))
        if user_id is None:
            raise INVALID_TOKEN.error()
        found = await self.callers.find(user_id)
        account = active_account(found.user, found.org) if found else None
        if found is None or account is None:
            raise INVALID_TOKEN.error(user=user_id)
        return caller_of(account.user.id, account.org.id, found.memberships, org=account.org)

    async def _of_access_token(self, token: str) -> str | None:
        ask = AuthenticateBearer(token=token, audience=OWN_PROJECT)
        bearer = (await self.bus.call(AUTHENTICATE_BEARER, ask)).bearer
        return bearer.user_id if bearer else None

    async def _of_personal(self, token: str) -> str | None:
        """A personal access token is stored here; it is for this API whatever its audience is."""
        hash = fingerprint(token)
        service_user = await self.accounts.find_machine_with_token(hash)
        good = service_user is not None and is_good(service_user.personal_tokens, hash, self.clock.now())
        return service_user.id if service_user and good else None


def _token(headers: tuple[str, ...]) -> str:
    if len(headers) != 1:
        raise NO_TOKEN.error(headers=len(headers))
    found = _CREDENTIALS.match(headers[0]) if len(headers[0]) <= MAX_TOKEN + len("Bearer ") else None
    if found is None:
        raise NO_TOKEN.error()
    return found.group(1)
