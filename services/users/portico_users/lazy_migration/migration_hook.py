"""The hook of lazy migration: a webhook that is asked at a sign-in, and answers (decision 0103)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, Protocol

import msgspec
import structlog
from portico_oauth.errors import ServiceError
from portico_oauth.master_keys import UnsealingFailed
from portico_oauth.opaque import RandomBytes
from portico_runtime.diagnostics.limits import MinuteLimit, PerMinute
from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.http_client.outbound import OutboundResponse
from portico_runtime.process.clock import Clock
from prometheus_client.metrics import Counter

from portico_users.identity_providers.secrets import SecretSealer
from portico_users.values.names import new_id
from portico_users.values.timestamps import rfc_3339
from portico_users.webhooks.changes import secrets_in_force
from portico_users.webhooks.rules import MIGRATION
from portico_users.webhooks.webhook import Webhook, headers_of

log = structlog.get_logger("portico.migration")

QUESTIONS = Counter("portico_migration_questions_total", "Sign-ins and the old system's answers.", ["outcome"])

HOOK_SECONDS: Final = 2.0
"""Time limit of a question: the user waits for it."""

PER_MINUTE: Final = PerMinute(of_client=600, in_all=1_200)
"""Questions of a replica, to one hook and in all."""

FAILURES: Final = 3
REST_SECONDS: Final = 30.0
"""How long a hook is not asked after so many consecutive failures."""


_UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class HookAnswer(msgspec.Struct, frozen=True):
    """`user` has the members of a row of `portico import`, without a password."""

    result: Literal["right_password", "wrong_password", "unknown_user"]
    user: msgspec.Raw = msgspec.Raw()


class CallHook(Protocol):
    async def call(self, url: str, body: bytes, headers: Mapping[str, str]) -> OutboundResponse: ...


class MigrationHook:
    """Asks hooks; never raises, since an unavailable old system must look like a wrong password."""

    def __init__(self, outbound: CallHook, sealer: SecretSealer, clock: Clock, random: RandomBytes) -> None:
        self._outbound = outbound
        self._sealer = sealer
        self._clock = clock
        self._random = random
        self._limit = MinuteLimit(clock, PER_MINUTE)
        self._failures: dict[str, int] = {}
        self._rests_until: dict[str, float] = {}

    async def ask(self, webhook: Webhook, login_name: str, password: str) -> HookAnswer | None:
        """Returns None if the hook is unavailable, is paused after failures, or has reached its limit of requests."""
        if self._clock.now() < self._rests_until.get(webhook.id, 0.0) or not self._limit.admits(webhook.id):
            QUESTIONS.labels("not_asked").inc()
            return None
        try:
            answer = await self._ask(webhook, login_name, password)
        except (OutboundError, UnsealingFailed, ServiceError, *_UNREADABLE) as error:
            # Only the kind of an unreadable answer: its text may quote what the old system sent.
            cause = str(error)[:200] if isinstance(error, OutboundError) else type(error).__name__
            self._note_failure(webhook.id, cause)
            QUESTIONS.labels("unavailable").inc()
            return None
        self._failures.pop(webhook.id, None)
        QUESTIONS.labels(answer.result).inc()
        return answer

    async def _ask(self, webhook: Webhook, login_name: str, password: str) -> HookAnswer:
        now = self._clock.now()
        data = {"organizationId": webhook.org_id, "loginName": login_name, "password": password}
        at = rfc_3339(now)
        body = msgspec.json.encode({"type": MIGRATION, "timestamp": at, "data": data})
        secrets = secrets_in_force(webhook, self._sealer, now)
        headers = headers_of(new_id(self._random), body.decode(), secrets, now)
        response = await self._outbound.call(webhook.url, body, headers)
        if response.status != 200:
            raise OutboundError(f"status {response.status}")
        return msgspec.json.decode(response.body, type=HookAnswer)

    def _note_failure(self, id: str, cause: str) -> None:
        failures = self._failures.get(id, 0) + 1
        self._failures[id] = failures
        log.warning("migration hook not usable", webhook=id, cause=cause, failures=failures)
        if failures >= FAILURES:
            self._rests_until[id] = self._clock.now() + REST_SECONDS
            self._failures.pop(id, None)
