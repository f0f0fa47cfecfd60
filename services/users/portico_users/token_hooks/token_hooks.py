"""Calls token hooks for token, and logs the calls that fail (decision 0149)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import structlog
from portico_contracts.users import CallTokenHook, HookFailure, TokenHookCalled
from portico_oauth.errors import ServiceError
from portico_runtime.diagnostics.limits import MinuteLimit, PerMinute

from portico_users.journal.command import Command
from portico_users.token_hooks.hook_calls import HookCall, HookCalls
from portico_users.values.records import State
from portico_users.webhooks.deliveries import Attempt, Deliveries, Delivery
from portico_users.webhooks.store import MongoWebhooks
from portico_users.webhooks.webhook import TOKEN_ISSUE, Webhook

log = structlog.get_logger("portico.token_hooks")

LOGGED_PER_MINUTE: Final = PerMinute(of_client=20, in_all=200)
"""Failed calls that a replica logs, of one hook and in all."""


class LoggedCalls(MinuteLimit):
    """Limits the log of failed calls."""


@dataclass(frozen=True, slots=True)
class TokenHooks(Command):
    webhooks: MongoWebhooks
    calls: HookCalls
    deliveries: Deliveries
    limit: LoggedCalls

    async def call(self, ask: CallTokenHook) -> TokenHookCalled:
        """Calls an active hook; one that was removed since adds nothing. Raises `unavailable`."""
        webhook = await self.webhooks.find(ask.hook_id)
        if webhook is None or webhook.state is not State.ACTIVE or not webhook.is_token_hook:
            return TokenHookCalled()
        done = await self.calls.call(webhook, _data(ask), ask.taken)
        if done.failure not in (None, HookFailure.RESTING, HookFailure.BUSY):
            await self._log(webhook, done, ask.user_id)
        return TokenHookCalled(claims=done.claims, failure=done.failure)

    async def _log(self, webhook: Webhook, done: HookCall, user_id: str) -> None:
        """Keeps the failure, without what was sent; losing it changes nothing for the request."""
        if not self.limit.admits(webhook.id):
            return
        call = Delivery(
            webhook_id=webhook.id, event_id=done.id, type=TOKEN_ISSUE, object=user_id, sequence=0, at=done.at, body="",
            not_before=done.at, until=done.at,
        )  # fmt: skip
        try:
            await self.deliveries.put_failed(call, _attempt(done))
        except ServiceError as error:
            log.warning("failed call of a token hook not logged", webhook=webhook.id, error_code=error.id)


def _data(ask: CallTokenHook) -> dict[str, Any]:
    return {
        "clientId": ask.client_id,
        "projectId": ask.project_id,
        "userId": ask.user_id,
        "userOrganizationId": ask.user_org_id,
        "actorUserId": ask.actor_id,
        "scope": ask.scope,
        "claims": ask.claims,
        "refresh": ask.is_refresh,
        "test": False,
    }


def _attempt(done: HookCall) -> Attempt:
    return Attempt(at=done.at, status=done.status, milliseconds=done.milliseconds, cause=done.cause)
