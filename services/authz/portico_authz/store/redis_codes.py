from __future__ import annotations

from typing import Final

from portico_contracts.authz import CodeGrant
from portico_contracts.subjects import decode, encode
from portico_oauth.clock_leeway import CLOCK_LEEWAY
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.nodes.script import Value
from portico_runtime.versioned_cache import keys as facts

from portico_authz.domain.code import Claim, ClaimOutcome, CodeRecord, IssueResult, NewCode, PresentedCode
from portico_authz.domain.session import Session
from portico_authz.store import keys, lua
from portico_authz.store.redis_sessions import SAVED, saved_values

MARK_SECONDS: Final = 3_600
"""How long a redeemed code is stored, so that replaying it revokes its grant (TK-03)."""


class RedisCodes:
    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._issue = redis.script(
            lua.source("issue_code"), arguments=("idle_until", "session_seconds", "client_field", "code_seconds")
        )
        self._save = redis.script(lua.source("save_session"), arguments=SAVED)
        self._withdraw = redis.script(lua.source("withdraw_code"))
        self._claim = redis.script(
            lua.source("claim_code"),
            arguments=(
                "client_id",
                "redirect_uri",
                "has_verifier",
                "challenge",
                "now",
                "mark_seconds",
                "leeway",
                "jkt",
            ),
        )

    async def issue(self, code: str, record: CodeRecord, session: Session, now: float) -> IssueResult:
        """Code and session are in the user's bucket: one slot."""
        result = await self._redis.run(
            self._issue,
            [keys.session(session.sid), keys.code(code)],
            _fields_of(record),
            idle_until=session.idle_until,
            session_seconds=session.seconds_left(now),
            client_field=keys.client_field(record.grant.client_id),
            code_seconds=max(1, round(record.expires_at - now)),
        )
        return IssueResult(result)

    async def issue_first(self, new: NewCode, session: Session, seconds: int, *, again: bool = False) -> bool:
        """Code and session are in the user's bucket: one slot."""
        record = new.record
        where = [keys.session(session.sid), keys.sessions_of(session.user_id), keys.code(new.code)]
        code_seconds = max(1, round(record.expires_at - record.issued_at))
        values: list[Value] = [keys.client_field(record.grant.client_id), code_seconds, *_fields_of(record)]
        named = saved_values(session, seconds, again=again)
        return bool(await self._redis.run(self._save, where, values, **named))

    async def withdraw(self, reference: str, seconds: int) -> bool:
        return bool(await self._redis.run(self._withdraw, [keys.code_named(reference)], [seconds]))

    async def claim(self, code: str, presented: PresentedCode, now: float) -> Claim:
        if not keys.is_identifier(code):
            return Claim(ClaimOutcome.UNKNOWN)
        answer = await self._redis.run(
            self._claim,
            [keys.code(code), facts.versions(code[:2])],
            client_id=presented.client_id,
            redirect_uri=presented.redirect_uri,
            has_verifier="1" if presented.has_verifier else "",
            challenge=presented.challenge,
            now=now,
            mark_seconds=MARK_SECONDS,
            leeway=CLOCK_LEEWAY,
            jkt=presented.jkt,
        )
        match ClaimOutcome(answer[0]):
            case ClaimOutcome.CLAIMED:
                return Claim(ClaimOutcome.CLAIMED, grant=decode(answer[1].encode(), CodeGrant), version=answer[2])
            case ClaimOutcome.ALREADY_REDEEMED:
                return Claim(ClaimOutcome.ALREADY_REDEEMED, grant_id=answer[1])
            case outcome:
                return Claim(outcome)


def _fields_of(record: CodeRecord) -> list[str]:
    fields = {
        "client_id": record.grant.client_id,
        "redirect_uri": record.redirect_uri,
        "challenge": record.challenge,
        "issued_at": str(record.issued_at),
        "expires_at": str(record.expires_at),
        "grant": encode(record.grant).decode(),
        "grant_id": record.grant.grant_id,
        "u": facts.user(record.grant.user_id).field,
    }
    if record.jkt:
        fields["jkt"] = record.jkt
    return [text for pair in fields.items() for text in pair]
