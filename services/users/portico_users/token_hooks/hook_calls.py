"""Calls token hooks with a time limit, and pauses those that fail (decision 0149)."""

from __future__ import annotations

from collections import Counter as Count
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import msgspec
import structlog
from portico_contracts.users import HookFailure, PlacedClaims, read_hook_answer
from portico_oauth.errors import ServiceError
from portico_oauth.master_keys import UnsealingFailed
from portico_oauth.opaque import RandomBytes
from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.http_client.outbound import MAX_CONNECTIONS, OutboundResponse
from portico_runtime.http_client.outbound_connection import TooLarge
from portico_runtime.process.clock import Clock
from prometheus_client.metrics import Counter

from portico_users.identity_providers.secrets import SecretSealer
from portico_users.values.names import new_id
from portico_users.values.timestamps import rfc_3339
from portico_users.webhooks.changes import secrets_in_force
from portico_users.webhooks.webhook import TOKEN_ISSUE, Webhook, headers_of

log = structlog.get_logger("portico.token_hooks")

CALLS = Counter("portico_token_hook_calls_total", "Calls of token hooks by outcome.", ["outcome"])

CALL_SECONDS: Final = 0.5
"""Time limit of a call: the application waits for it."""

SHARE_OF_OWNER: Final = 3
"""A call is made while its organization, or the instance, has less than this part of the free connections in use: a
third, which is 16 of 64 alone, and fewer each with more organizations. Slow hooks so delay no others.
"""

SHARE_OF_HOOK: Final = 4
"""Of one hook, 13 alone: a slow one leaves some to the other hooks of its organization."""

FAILURES: Final = 3
REST_SECONDS: Final = 30.0
"""How long a hook is not called after so many consecutive failures."""

_OK: Final = 200


class CallTokenHooks(Protocol):
    async def call(self, url: str, body: bytes, headers: dict[str, str]) -> OutboundResponse:
        """Returns the response. Raises `OutboundError`."""
        ...


@dataclass(frozen=True, slots=True)
class HookCall:
    """One call: what it gave or why it failed. `cause` has the details for administrators, `status` 0 no response."""

    id: str
    at: float
    claims: PlacedClaims = field(default_factory=dict)
    failure: HookFailure | None = None
    cause: str = ""
    status: int = 0
    milliseconds: int = 0


class HookCalls:
    """Never raises: a failure is an outcome."""

    def __init__(self, outbound: CallTokenHooks, sealer: SecretSealer, clock: Clock, random: RandomBytes) -> None:
        self._outbound = outbound
        self._sealer = sealer
        self._clock = clock
        self._random = random
        self._free = MAX_CONNECTIONS
        self._of_hook: Count[str] = Count()
        self._of_owner: Count[str] = Count()
        self._failures: Count[str] = Count()
        self._rests_until: dict[str, float] = {}

    async def call(self, webhook: Webhook, data: dict[str, Any], taken: tuple[str, ...]) -> HookCall:
        """Does not call a hook that rests."""
        if self._clock.now() < self._rests_until.get(webhook.id, 0.0):
            done = self._not_called(HookFailure.RESTING)
        else:
            done = await self.call_now(webhook, data, taken)
            self._count(webhook.id, done)
        CALLS.labels(done.failure.value if done.failure else "added").inc()
        return done

    async def call_now(self, webhook: Webhook, data: dict[str, Any], taken: tuple[str, ...]) -> HookCall:
        """Calls a hook even if it rests, without a consequence for later calls; not where too many are in progress."""
        if not self._has_room(webhook):
            return self._not_called(HookFailure.BUSY)
        self._free -= 1
        self._of_hook[webhook.id] += 1
        self._of_owner[webhook.org_id] += 1
        try:
            return await self._send(webhook, data, taken)
        finally:
            self._free += 1
            self._of_hook[webhook.id] -= 1
            self._of_owner[webhook.org_id] -= 1

    def _has_room(self, webhook: Webhook) -> bool:
        of_owner, of_hook = self._of_owner[webhook.org_id], self._of_hook[webhook.id]
        return of_owner * SHARE_OF_OWNER < self._free and of_hook * SHARE_OF_HOOK < self._free

    def _not_called(self, failure: HookFailure) -> HookCall:
        return HookCall(new_id(self._random), self._clock.now(), failure=failure, cause=failure.value)

    async def _send(self, webhook: Webhook, data: dict[str, Any], taken: tuple[str, ...]) -> HookCall:
        id, began = new_id(self._random), self._clock.now()
        body = msgspec.json.encode({"type": TOKEN_ISSUE, "timestamp": rfc_3339(began), "data": data})
        try:
            secrets = secrets_in_force(webhook, self._sealer, began)
            response = await self._outbound.call(webhook.url, body, headers_of(id, body.decode(), secrets, began))
        except (UnsealingFailed, ServiceError) as error:
            return HookCall(id, began, failure=HookFailure.NO_SECRET, cause=type(error).__name__)
        except OutboundError as error:
            return HookCall(
                id, began, failure=_failure_of(error), cause=str(error)[:200], milliseconds=self._since(began)
            )
        answer: PlacedClaims | HookFailure = HookFailure.STATUS
        if response.status == _OK:
            answer = read_hook_answer(response.body, taken)
        taken_time = self._since(began)
        if isinstance(answer, HookFailure):
            cause = f"status {response.status}" if answer is HookFailure.STATUS else answer.value
            return HookCall(id, began, failure=answer, cause=cause, status=response.status, milliseconds=taken_time)
        return HookCall(id, began, answer, status=response.status, milliseconds=taken_time)

    def _since(self, began: float) -> int:
        return max(0, round((self._clock.now() - began) * 1000))

    def _count(self, id: str, done: HookCall) -> None:
        if done.failure is HookFailure.BUSY:
            return
        if done.failure is None:
            self._failures.pop(id, None)
            return
        self._failures[id] += 1
        log.warning("token hook failed", webhook=id, cause=done.cause, failures=self._failures[id])
        if self._failures[id] >= FAILURES:
            self._rests_until[id] = self._clock.now() + REST_SECONDS
            self._failures.pop(id)


def _failure_of(error: OutboundError) -> HookFailure:
    if isinstance(error, TooLarge):
        return HookFailure.TOO_LARGE
    return HookFailure.TIMEOUT if str(error) == TimeoutError.__name__ else HookFailure.UNREACHABLE
