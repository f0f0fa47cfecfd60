"""Finds the active access token of a text, or none: for userinfo, introspection and the bearer tokens of our APIs.

Active: our format, a signature by a published key, a live grant that contains this token (or, without a
grant, no revocation), not expired, an active client and user (P3, TK-11, JW-14, IR-04). Results are not
cached, so that none outlives a revocation (IR-06).
"""

from __future__ import annotations

from typing import Any

import msgspec
from portico_contracts.users import Client, UserClaims
from portico_oauth.clock_leeway import is_issued_ahead
from portico_oauth.resources import resource_key
from portico_runtime.process.clock import Clock

from portico_token.cached_users import CachedUsers
from portico_token.domain.grants import AccessToken, AssertedBy, Grant, GrantStore
from portico_token.domain.origin import Origin
from portico_token.domain.revocations import RevocationStore, StatelessToken
from portico_token.domain.roles import role_claims, roles_list
from portico_token.token_reader import GrantToken, TokenReader
from portico_token.users_client import UsersClient


class ActiveToken(msgspec.Struct, frozen=True, gc=False):
    """A usable access token; `issued` and `expires` are in unix seconds.

    Attributes:
        client: None for a service user's own token.
        version: of the user, read with the token.
        grant: None for a token without one.
        fingerprint: of the token in its grant.
        is_exchanged: issued by a token exchange or for an identity assertion, so never for our own API.
        actor: id of the user who acts for this one; empty for the user.
        jkt: as in `AccessToken`.
    """

    id: str
    origin: Origin
    user_id: str
    client_id: str
    audience: tuple[str, ...]
    scope: tuple[str, ...]
    issued: int
    expires: int
    person: UserClaims
    client: Client | None
    userinfo_claims: tuple[str, ...] = ()
    version: str | None = None
    grant: Grant | None = None
    fingerprint: str = ""
    is_exchanged: bool = False
    actor: str = ""
    jkt: str = ""


async def roles_of(
    users: CachedUsers, token: ActiveToken, projects: tuple[str, ...], own_project: str, *, is_requested: bool
) -> dict[str, Any]:
    """The role claims, if requested, and always the list registered for its application."""
    client = token.client
    if not is_requested and not (client and client.roles_claim):
        return {}
    found = await users.roles_of(token.user_id, projects, token.version)
    listed = roles_list(client, found, projects) if client else {}
    return listed | (role_claims(found, projects, own_project) if is_requested else {})


class ActiveTokens:
    def __init__(
        self,
        reader: TokenReader,
        grants: GrantStore,
        revocations: RevocationStore,
        users_client: UsersClient,
        users: CachedUsers,
        clock: Clock,
    ) -> None:
        self._reader = reader
        self._grants = grants
        self._revocations = revocations
        self._users_client = users_client
        self._users = users
        self._clock = clock

    async def find(self, text: str) -> ActiveToken | None:
        """None for unknown, malformed, expired, revoked and disabled tokens alike."""
        match self._reader.read(text):
            case GrantToken() as token:
                return await self._of_grant(token)
            case StatelessToken() as token:
                return await self._stateless(token)
            case None:
                return None

    def _is_in_time(self, issued: int, expires: int) -> bool:
        now = self._clock.now()
        return now < expires and not is_issued_ahead(issued, now)

    async def _of_grant(self, presented: GrantToken) -> ActiveToken | None:
        found = await self._grants.find(presented.grant_id, presented.fingerprint)
        if found is None or not self._is_in_time(found.token.issued, found.token.expires):
            return None
        grant, token, version = found
        client_id = token.client_id or grant.client_id
        client = None
        if grant.origin is Origin.SIGN_IN or grant.asserted is not None:
            client = await self._client_of(grant, token)
            if client is None or (grant.asserted is not None and not await self._is_asserted(grant, grant.asserted)):
                return None
        # A token from an exchange ends with the application that the user signed in to, too.
        if token.client_id and await self._users_client.find_client_of(grant) is None:
            return None
        if grant.actor and await self._users.find_user(grant.actor) is None:
            return None
        person = await self._users.claims_of(grant.user_id, version)
        if person.user is None:
            return None
        return ActiveToken(
            presented.id,
            grant.origin,
            grant.user_id,
            client_id,
            token.audience or grant.audience,
            token.scope,
            token.issued,
            token.expires,
            person,
            client,
            () if token.client_id else grant.userinfo_claims,
            version,
            grant,
            presented.fingerprint,
            bool(token.client_id or grant.actor or grant.asserted),
            grant.actor,
            token.jkt,
        )

    async def _is_asserted(self, grant: Grant, asserted: AssertedBy) -> bool:
        """A token for an identity assertion ends with the link of its user, and with the rule that allowed it."""
        found = await self._users_client.find_asserted(asserted, grant.client_id)
        if found.user_id != grant.user_id:
            return False
        allowed = {resource_key(one.resource): one.scopes for one in found.access}
        keys = [*map(resource_key, grant.resources)]
        return all(key in allowed and {*grant.scope} <= {*allowed[key]} for key in keys)

    async def _client_of(self, grant: Grant, token: AccessToken) -> Client | None:
        if token.client_id:
            return await self._users_client.find_client(token.client_id)
        return await self._users_client.find_client_of(grant)

    async def _stateless(self, token: StatelessToken) -> ActiveToken | None:
        if not self._is_in_time(token.issued // 1000, token.expires):
            return None
        version = await self._revocations.version_if_active(token)
        if version is None:
            return None
        person = await self._users.claims_of(token.user_id, version)
        if person.user is None:
            return None
        return ActiveToken(
            token.id,
            token.origin,
            token.user_id,
            token.client_id,
            token.audience,
            token.scope,
            token.issued // 1000,
            token.expires,
            person,
            None,
            version=version,
            jkt=token.jkt,
        )
