"""Authorization codes in Redis: a hash per code, claimed by one script."""

from __future__ import annotations

from typing import Final

from portico_contracts.authz import CodeGrant
from portico_contracts.subjects import decode, encode
from portico_oauth.clock_leeway import CLOCK_LEEWAY
from portico_runtime.redis_client import RedisClient

from portico_authz.domain.code import Claim, CodeRecord, Issued, Outcome, Presented
from portico_authz.domain.session import Session
from portico_authz.store import keys, lua

MARK_SECONDS: Final = 3_600
"""How long a used code is told from an unknown one, so that presenting it again revokes what it gave (TK-03)."""


class RedisCodes:
    """Implements `domain.ports.Codes`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._issue = redis.script(lua.source("issue_code"))
        self._withdraw = redis.script(lua.source("withdraw_code"))
        self._claim = redis.script(lua.source("claim_code"))

    async def issue(self, code: str, record: CodeRecord, session: Session, now: float) -> Issued:
        """See `Codes.issue`. Code and session begin with the user's bucket: one slot."""
        fields = {
            "client_id": record.grant.client_id,
            "redirect_uri": record.redirect_uri,
            "challenge": record.challenge,
            "issued_at": str(record.issued_at),
            "expires_at": str(record.expires_at),
            "grant": encode(record.grant).decode(),
            "grant_id": record.grant.grant_id,
        }
        client = keys.client_field(record.grant.client_id)
        lifetimes: list[str | int | float] = [
            session.idle_until,
            session.seconds_left(now),
            client,
            max(1, round(record.expires_at - now)),
        ]
        pairs = [text for pair in fields.items() for text in pair]
        both = [keys.session(session.sid), keys.code(code)]
        return Issued(await self._redis.run(self._issue, both, [*lifetimes, *pairs]))

    async def withdraw(self, reference: str, seconds: int) -> bool:
        """See `Codes.withdraw`."""
        return bool(await self._redis.run(self._withdraw, [keys.code_named(reference)], [seconds]))

    async def claim(self, code: str, presented: Presented, now: float) -> Claim:
        """See `Codes.claim`."""
        if not keys.is_ours(code):
            return Claim(Outcome.UNKNOWN)
        verifier = "1" if presented.has_verifier else ""
        answer = await self._redis.run(
            self._claim,
            [keys.code(code)],
            [
                presented.client_id,
                presented.redirect_uri,
                verifier,
                presented.challenge,
                now,
                MARK_SECONDS,
                CLOCK_LEEWAY,
            ],
        )
        match Outcome(answer[0]):
            case Outcome.CLAIMED:
                return Claim(Outcome.CLAIMED, grant=decode(answer[1].encode(), CodeGrant))
            case Outcome.SPENT:
                return Claim(Outcome.SPENT, grant_id=answer[1])
            case outcome:
                return Claim(outcome)
