from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode, urlsplit, urlunsplit

from portico_contracts.users import BeginExternal, ExternalBegun, FinishExternal, VerifiedIdentity
from portico_oauth.errors import INVALID_INPUT
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel
from pymongo.errors import DuplicateKeyError

from portico_users.identity_providers.federation.claims import (
    Seen,
    audiences_of,
    auth_time_of,
    check_claims,
    profile_of,
    with_tables,
)
from portico_users.identity_providers.federation.code_exchange import reauthentication_of
from portico_users.identity_providers.federation.errors import USED_BEFORE, WRONG_AUDIENCE, WRONG_ISSUER
from portico_users.identity_providers.federation.verification_keys import KeySets, read_token, verified_claims
from portico_users.identity_providers.idp import Idp, JwtConfig, as_offered
from portico_users.storage.schema import Indexes
from portico_users.values.operator_settings import Issuer
from portico_users.values.records import version_of

USED_TOKENS: Final = "usedProviderTokens"
USED_TOKEN_INDEXES: Final[Indexes] = {USED_TOKENS: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),)}

MARGIN_SECONDS: Final = 86_400.0
"""How much longer a used JWT is stored than it is valid: MongoDB deletes by its own clock, which may be ahead."""


@dataclass(frozen=True, slots=True)
class UsedTokens:
    """Hashes of used JWTs in MongoDB, stored for a day more than the JWTs are valid (decision 0091)."""

    database: Database

    async def use(self, idp_id: str, token: str, *, user_agent: str, until: float) -> None:
        """Marks a JWT as used; only the same browser may use it again, an unknown (empty) one never."""
        # Hash without the signature: ECDSA has two valid signatures for the same content.
        signed = token.rpartition(".")[0]
        id = hashlib.sha256(f"{idp_id}\n{signed}".encode()).hexdigest()
        browser = hashlib.sha256(user_agent.encode()).hexdigest() if user_agent else ""
        row = {"_id": id, "browser": browser, "forgetAt": datetime.fromtimestamp(until + MARGIN_SECONDS, UTC)}
        async with guarded():
            try:
                await self.database[USED_TOKENS].insert_one(row)
            except DuplicateKeyError:
                first = await self.database[USED_TOKENS].find_one({"_id": id}, {"browser": 1})
                if not browser or first is None or first["browser"] != browser:
                    raise USED_BEFORE.error(idp=idp_id) from None


_BEARER = "bearer "


@dataclass(frozen=True, slots=True)
class JwtProvider:
    key_sets: KeySets
    used: UsedTokens
    clock: Clock
    issuer: Issuer

    def begin(self, idp: Idp, config: JwtConfig, ask: BeginExternal) -> ExternalBegun:
        """Returns the provider's endpoint with ``authRequestID`` and ``userAgentID``."""
        if not ask.auth_request or not ask.user_agent:
            raise INVALID_INPUT.error()
        parts = urlsplit(config.jwt_endpoint)
        names = {"authRequestID": ask.auth_request, "userAgentID": ask.user_agent}
        added = urlencode(names | reauthentication_of(ask))
        query = f"{parts.query}&{added}" if parts.query else added
        url = urlunsplit((parts.scheme, parts.netloc, parts.path, query, ""))
        return ExternalBegun(url=url, provider=as_offered(idp), jwt_header=config.header.lower())

    async def finish(self, idp: Idp, config: JwtConfig, ask: FinishExternal, seen: Seen) -> VerifiedIdentity:
        """Verifies a JWT: signed by the provider, issued to Portico within the last hour, and not used before."""
        token = ask.jwt[len(_BEARER) :].strip() if ask.jwt[: len(_BEARER)].lower() == _BEARER else ask.jwt
        header, _ = read_token(token)
        claims = verified_claims(token, await self.key_sets.find(idp.id, config.keys_endpoint, header))
        seen["jwt"] = claims
        self._check(claims, config)
        valid = check_claims(claims, now := self.clock.now())
        await self.used.use(idp.id, token, user_agent=ask.user_agent, until=valid.until)
        identity = VerifiedIdentity(
            provider_id=idp.id,
            issuer=config.issuer,
            subject=valid.subject,
            profile=profile_of(claims),
            version=version_of(idp),
            verified_at=int(now),
            auth_time=auth_time_of(claims, now),
        )
        return with_tables(identity, idp.tables, claims, amr=claims.get("amr"))

    def _check(self, claims: dict[str, object], config: JwtConfig) -> None:
        if claims.get("iss") != config.issuer:
            raise WRONG_ISSUER.error(iss=str(claims.get("iss"))[:200])
        if "aud" in claims and self.issuer not in audiences_of(claims):
            raise WRONG_AUDIENCE.error()
