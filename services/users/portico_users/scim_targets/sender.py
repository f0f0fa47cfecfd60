"""Processes the queues of targets: what is due for users, then a window of a run, in turns."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import msgspec
import structlog
from portico_oauth.errors import ServiceError
from portico_oauth.master_keys import UnsealingFailed
from portico_runtime.process.clock import Clock
from portico_runtime.process.wakeup import Wakeup
from prometheus_client.metrics import Counter

from portico_users.identity_providers.secrets import SecretSealer
from portico_users.journal.journal import Journal
from portico_users.organizations.org import MongoOrgs
from portico_users.scim_targets.accounts import carry_out, decide
from portico_users.scim_targets.client import AccountRefused, Pacer, SendScim, TargetClient, TargetFailed
from portico_users.scim_targets.comparison import Comparison
from portico_users.scim_targets.queues import TargetQueues
from portico_users.scim_targets.runs import EVERY_SECONDS, Phase, Run, RunKind, Step, TargetRuns
from portico_users.scim_targets.target import SCIM_TARGETS, MongoScimTargets, ScimTarget
from portico_users.scim_targets.target_users import TargetUser, TargetUsers
from portico_users.scim_targets.tokens import token_of
from portico_users.scim_targets.wanted import Leaver, WantedAccount, WantedAccounts
from portico_users.storage.entry import Entry
from portico_users.values.records import State, deactivated
from portico_users.webhooks.delivery_queues import DeliveryQueue
from portico_users.webhooks.queue_turns import QueueTurns
from portico_users.webhooks.webhook import GIVE_UP_SECONDS, asked_pause

log = structlog.get_logger("portico.scim_targets")

ATTEMPTS = Counter(
    "portico_scim_target_attempts_total", "Attempts to bring a user to a SCIM target by outcome.", ["outcome"]
)
DISABLED = Counter("portico_scim_targets_disabled_total", "SCIM targets disabled after failing for too long.")

TARGETS_AT_ONCE: Final = 4
"""Targets that one replica processes concurrently."""

BATCH: Final = 50
SLICE_SECONDS: Final = 15.0
"""Time slice of one queue: with the last requests, less than the lease."""

FAILURE: Final = "the target accepted nothing for three days"


@dataclass(slots=True)
class _Turn:
    target: ScimTarget
    client: TargetClient
    ends: float
    took: int = 0
    failed: bool = False
    asked: float = 0.0


@dataclass(frozen=True, slots=True)
class TargetSenderParts:
    targets: MongoScimTargets
    orgs: MongoOrgs
    people: TargetUsers
    runs: TargetRuns
    queues: TargetQueues
    wanted: WantedAccounts
    comparison: Comparison
    journal: Journal
    sealer: SecretSealer
    send: SendScim
    clock: Clock

    def client(self, target: ScimTarget, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> TargetClient:
        """Raises `UnsealingFailed`."""
        return TargetClient(target, token_of(target, self.sealer), self.send, Pacer(1 / target.rate, sleep))


class TargetSender(QueueTurns):
    """Processes the queues of targets."""

    at_once = TARGETS_AT_ONCE

    def __init__(self, parts: TargetSenderParts, wakeup: Wakeup) -> None:
        super().__init__(parts.queues, parts.clock, wakeup)
        self._parts = parts

    async def _serve(self, queue: DeliveryQueue) -> None:
        try:
            await self._serve_once(queue)
        except ServiceError as error:
            # The queue is processed again after its lease expires.
            log.warning("SCIM target failed", target=queue.webhook_id, cause=error.text, private=error.private)
        except Exception:  # one target must not end the work for all others
            log.exception("SCIM target failed", target=queue.webhook_id)

    async def _serve_once(self, queue: DeliveryQueue) -> None:
        parts, id = self._parts, queue.webhook_id
        target = await parts.targets.find(id)
        runs = {run.kind: run for run in (await parts.runs.find([id])).values()}
        if target is None or not await self._may_send(target):
            await self._withdraw(queue, target)
            if (
                target is None
                or target.state is not State.INACTIVE
                or not _is_due(runs.get(RunKind.DRY), parts.clock.now())
            ):
                await self._release(queue, target, took=None)
                return
        turn: _Turn | None = None
        try:
            ends = asyncio.get_running_loop().time() + SLICE_SECONDS
            turn = _Turn(target, parts.client(target), ends)
        except UnsealingFailed as error:
            log.warning("SCIM target failed", target=id, cause=f"the token cannot be decrypted: {error}")
            await self._release(queue, target, took=False)
            return
        await self._work(turn)
        took = turn.took > 0 if turn.took or turn.failed else None
        await self._release(queue, target, took=took, asked=turn.asked)
        since = queue.failing_since
        if turn.failed and not turn.took and since and parts.clock.now() - since >= GIVE_UP_SECONDS:
            await self._switch_off(target)

    async def _may_send(self, target: ScimTarget) -> bool:
        if target.state is not State.ACTIVE:
            return False
        org = await self._parts.orgs.find(target.org_id)
        return org is not None and org.state is not State.DELETED

    async def _withdraw(self, queue: DeliveryQueue, target: ScimTarget | None) -> None:
        await self._parts.people.withdraw(queue.webhook_id)
        if target is None or target.state is State.DELETED:
            await self._parts.people.forget_all(queue.webhook_id)
            await self._parts.runs.forget(queue.webhook_id)

    async def _release(
        self, queue: DeliveryQueue, target: ScimTarget | None, *, took: bool | None, asked: float = 0.0
    ) -> None:
        """The queue of an active target is due again at its next comparison."""
        parts = self._parts
        mark = await parts.queues.mark(queue)
        next_time = None
        if target is not None and target.state in (State.ACTIVE, State.INACTIVE):
            next_time = await self._find_next_time(target)
        if next_time is None:
            queue, took = replace(queue, failures=0, failing_since=0.0), None
        await parts.queues.release(queue, mark, next_time, took=took, asked=asked)

    async def _find_next_time(self, target: ScimTarget) -> float | None:
        runs = await self._parts.runs.find([target.id])
        dry, comparison = (runs.get((target.id, kind)) for kind in (RunKind.DRY, RunKind.COMPARISON))
        times = [dry.begins] if dry and dry.phase is not Phase.DONE else []
        if not await self._may_send(target):
            return min(times, default=None)
        if comparison:
            ended = comparison.phase is Phase.DONE
            times.append(comparison.ended + EVERY_SECONDS if ended else comparison.begins)
        person = await self._parts.people.find_next_time(target.id)
        return min([*times, person] if person is not None else times, default=None)

    async def _work(self, turn: _Turn) -> None:
        """Changes of users come first, so that a long run does not delay them by more than a window."""
        while not self._is_over(turn):
            target = await self._parts.targets.find(turn.target.id)
            if target is None or target.sequence != turn.target.sequence:
                return  # changed meanwhile: the next turn has the new values
            may_send = await self._may_send(target)
            sent = may_send and await self._send_due(turn)
            ran = not self._is_over(turn) and await self._run_window(turn, may_send=may_send)
            if not sent and not ran:
                return

    def _is_over(self, turn: _Turn) -> bool:
        return self._stopping or turn.failed or asyncio.get_running_loop().time() >= turn.ends

    async def _send_due(self, turn: _Turn) -> bool:
        due = await self._parts.people.list_due(turn.target.id, BATCH)
        wanted = await self._parts.wanted.find(turn.target, [one.user_id for one in due])
        for person in due:
            if self._is_over(turn):
                break
            await self._send(turn, person, wanted[person.user_id])
        return bool(due)

    async def _send(self, turn: _Turn, person: TargetUser, wanted: WantedAccount | Leaver) -> None:
        try:
            await self._bring(turn, person, wanted)
        except AccountRefused as error:
            await self._postpone(person, error.cause, error.status)
        except TargetFailed as error:
            self._note_failed(turn, error)
            await self._postpone(person, error.cause, error.status)
        else:
            turn.took += 1
            ATTEMPTS.labels("done").inc()

    async def _bring(self, turn: _Turn, person: TargetUser, wanted: WantedAccount | Leaver) -> None:
        people = self._parts.people
        if isinstance(wanted, Leaver):
            if person.remote_id or person.begun:
                decision = await decide(turn.client, wanted, person)
                id = await carry_out(turn.client, decision, wanted, _nothing)
                if id and not wanted.deleted:
                    await people.settle(person, id, "")
                    return
            await people.forget(person)
            return
        if person.remote_id and person.sent == wanted.summary:
            await people.settle(person, person.remote_id, person.sent)
            return
        decision = await decide(turn.client, wanted, person)
        id = await carry_out(turn.client, decision, wanted, lambda: people.note_begun(person))
        if id or decision.step is not Step.NONE:
            await people.settle(person, id, wanted.summary)
        else:
            await people.forget(person)

    async def _postpone(self, person: TargetUser, cause: str, status: int) -> None:
        ATTEMPTS.labels("failed").inc()
        log.info("SCIM target refused a user", target=person.target_id, user=person.user_id, status=status)
        await self._parts.people.postpone(person, cause, status)

    async def _run_window(self, turn: _Turn, *, may_send: bool) -> bool:
        run = await self._due_run(turn.target, may_send=may_send)
        if run is None:
            return False
        try:
            await self._parts.comparison.window(run, turn.client, turn.ends)
        except TargetFailed as error:
            self._note_failed(turn, error)
            await self._parts.runs.note_failure(run, error.cause)
        except AccountRefused as error:
            turn.failed = True
            await self._parts.runs.note_failure(run, error.cause)
        else:
            turn.took += 1
        return True

    async def _due_run(self, target: ScimTarget, *, may_send: bool) -> Run | None:
        now, runs = self._parts.clock.now(), await self._parts.runs.find([target.id])
        dry, comparison = (runs.get((target.id, kind)) for kind in (RunKind.DRY, RunKind.COMPARISON))
        if dry and _is_due(dry, now):
            return dry
        if comparison is None or not may_send:
            return None
        if comparison.phase is Phase.DONE and comparison.ended + EVERY_SECONDS <= now:
            await self._parts.runs.request(target.id, RunKind.COMPARISON)
            comparison = (await self._parts.runs.find([target.id])).get((target.id, RunKind.COMPARISON))
        return comparison if _is_due(comparison, now) else None

    def _note_failed(self, turn: _Turn, error: TargetFailed) -> None:
        turn.failed = True
        if error.retry_after:
            turn.asked = max(turn.asked, asked_pause(error.retry_after, self._parts.clock.now()))

    async def _switch_off(self, target: ScimTarget) -> None:
        """Deactivates the target, which publishes an event; postponed after a concurrent change."""
        with suppress(ServiceError):
            after = msgspec.structs.replace(deactivated(target), failure=FAILURE)
            await self._parts.journal.commit((Entry(SCIM_TARGETS, target, after),))
            DISABLED.inc()
            log.warning("SCIM target disabled", target=target.id, cause=FAILURE)


async def _nothing() -> None:
    pass


def _is_due(run: Run | None, now: float) -> bool:
    return run is not None and run.phase is not Phase.DONE and run.begins <= now
