from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import structs
from portico_contracts.users import AuthMethod
from portico_oauth.dpop import SCHEME
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.scopes import OPENID
from portico_oauth.token_types import ACCESS_TOKEN
from portico_runtime.process.clock import Clock

from portico_token.domain.grants import AddResult, Exchange, GrantStore, Rotation, RotationResult, SaveResult
from portico_token.grants.compromised_grants import CompromisedGrants
from portico_token.grants.consent import consent_withdrawn
from portico_token.grants.protocol import IdTokenPolicy
from portico_token.grants.refresh_token import invalid_refresh_token
from portico_token.grants.results import ExchangedToken, GrantResult, NewGrant, RefreshedGrant
from portico_token.grants.token_exchange import invalid_subject_token
from portico_token.issuing.access_tokens import AccessTokens, NewAccessToken
from portico_token.issuing.agent_uses import AgentUses
from portico_token.issuing.id_tokens import IdTokens
from portico_token.issuing.identity_assertions import AssertionSigner
from portico_token.issuing.refresh_tokens import NewRefreshToken, RefreshTokens
from portico_token.issuing.subject import Subjects, user_inactive
from portico_token.issuing.token_hooks import TokenHooks

BEARER: Final = "Bearer"

MOST_EXCHANGED: Final = 1_000
"""Live tokens of one grant from exchanges, so that no client fills the store."""


class TokenSet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The members of the specification; a missing member is absent, never null (TK-20).

    `issued_token_type` is of a token exchange (RFC 8693 section 2.2.1).
    """

    access_token: str
    token_type: str
    expires_in: int
    scope: str
    id_token: str | None = None
    refresh_token: str | None = None
    issued_token_type: str | None = None

    def __repr__(self) -> str:
        """Names the kind only."""
        return "TokenSet(...)"


SESSION_ENDED = ErrorCode(
    "TOKEN-041", Kind.INVALID_GRANT, "The session of this grant has ended.", "Have the user sign in again."
)
TOO_MANY_EXCHANGED = ErrorCode(
    "TOKEN-282",
    Kind.TOO_MANY_REQUESTS,
    "Too many tokens were exchanged for this sign-in.",
    "Use a token until it expires, instead of exchanging one for each request.",
)


@dataclass(frozen=True, slots=True)
class Issuer:
    subjects: Subjects
    access_tokens: AccessTokens
    refresh_tokens: RefreshTokens
    id_tokens: IdTokens
    grants: GrantStore
    compromised_grants: CompromisedGrants
    clock: Clock
    token_hooks: TokenHooks
    agent_uses: AgentUses
    assertion_signer: AssertionSigner

    async def issue(self, granted: GrantResult, policy: IdTokenPolicy, jkt: str = "") -> TokenSet:
        """Issues the tokens of a grant, stores them and consumes a presented refresh token.

        `jkt` is the thumbprint of the key that the client has proven, to which the tokens are bound.
        """
        with_id_token = _wants_id_token(policy, granted)
        # 1 All reads, before anything is consumed.
        subject = await self.subjects.load(granted, access_token=True, id_token=with_id_token)
        # 2 The tokens: everything that may fail before a refresh token is consumed.
        timestamp = self.clock.now()
        now = int(timestamp)
        granted = _bound(granted, jkt) if jkt else granted
        access = self.access_tokens.new(granted, timestamp, jkt)
        refresh = self.refresh_tokens.new(granted, now)
        text = self.access_tokens.text(access, granted, subject)
        id_token = self.id_tokens.make(granted, subject, text, now) if with_id_token else None
        # 3 The one atomic step that stores them.
        await self._save(granted, access, refresh)
        if granted.client.agent or isinstance(granted, ExchangedToken) or granted.grant.asserted is not None:
            await self.agent_uses.note(granted)
        return TokenSet(
            access_token=text,
            token_type=SCHEME if jkt else BEARER,
            expires_in=access.record.expires - now,
            scope=" ".join(access.record.scope),
            id_token=id_token,
            refresh_token=refresh.text if refresh else None,
            issued_token_type=ACCESS_TOKEN if isinstance(granted, ExchangedToken) or granted.grant.actor else None,
        )

    async def issue_id_token(self, granted: GrantResult) -> str:
        """Issues only an id_token, without storing anything."""
        subject = await self.subjects.load(granted, access_token=False, id_token=True)
        return self.id_tokens.make(granted, subject, "", int(self.clock.now()))

    async def _save(self, granted: GrantResult, access: NewAccessToken, refresh: NewRefreshToken | None) -> None:
        if isinstance(granted, RefreshedGrant) and refresh:
            await self._rotate(granted, access, refresh)
        elif isinstance(granted, ExchangedToken):
            await self._add(granted, access)
        elif granted.grant.id:
            saved = await self.grants.save(
                granted.grant, access.fingerprint, access.record, refresh.record if refresh else None
            )
            if saved is SaveResult.SESSION_ENDED:
                raise SESSION_ENDED.error(grant=granted.grant.id, compared=Compared("session"))
            if saved is SaveResult.USER_REVOKED:
                raise user_inactive(granted)
            if saved is SaveResult.CLIENT_ENDED:
                raise consent_withdrawn(granted.grant.user_id)
            # With SaveResult.ALREADY_REVOKED the winner of a race still gets its response; its tokens are inactive.

    async def _add(self, granted: ExchangedToken, access: NewAccessToken) -> None:
        grant_id = granted.grant.id
        exchange = Exchange(granted.subject, granted.began)
        added = await self.grants.add(grant_id, exchange, access.fingerprint, access.record, MOST_EXCHANGED)
        if added is AddResult.TOO_MANY:
            raise TOO_MANY_EXCHANGED.error(grant=grant_id, retry_after=60, compared=Compared("grant"))
        if added is AddResult.ENDED:
            raise invalid_subject_token(grant=grant_id)

    async def _rotate(self, granted: RefreshedGrant, access: NewAccessToken, refresh: NewRefreshToken) -> None:
        grant = granted.grant
        rotation = Rotation(
            granted.presented, granted.grace, refresh.record, access.fingerprint, access.record, granted.changes_grant
        )
        rotated = await self.grants.rotate(grant, rotation)
        if rotated is RotationResult.REUSED:
            await self.compromised_grants.publish(grant.id, grant.client_id, grant.user_id)
        if rotated is not RotationResult.ROTATED:
            raise invalid_refresh_token(grant=grant.id, rotated=rotated.name)


def _bound(granted: GrantResult, jkt: str) -> GrantResult:
    """Binds the refresh tokens of a public client; those of others are bound to its credentials (RFC 9449 section 5)."""
    if granted.client.auth_method is not AuthMethod.NONE or granted.grant.jkt:
        return granted
    grant = structs.replace(granted.grant, jkt=jkt)
    if isinstance(granted, RefreshedGrant):
        return structs.replace(granted, grant=grant, changes_grant=True)
    return structs.replace(granted, grant=grant) if isinstance(granted, NewGrant) and granted.refreshable else granted


def _wants_id_token(policy: IdTokenPolicy, granted: GrantResult) -> bool:
    match policy:
        case IdTokenPolicy.ALWAYS:
            return True
        case IdTokenPolicy.NEVER:
            return False
        case IdTokenPolicy.WITH_OPENID:
            return OPENID in granted.id_token.scope
