"""Plans webhooks, of organizations and of the instance."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable

import msgspec
from portico_contracts.apply import Document, Organization
from portico_contracts.apply import Webhook as WantedWebhook
from portico_oauth.errors import ServiceError

from portico_users.bulk.apply.finding import Stored, Wanted, find_existing
from portico_users.bulk.apply.plan import Plan
from portico_users.bulk.apply.step import Step, Subject, step_of
from portico_users.kernel.problems import at
from portico_users.kernel.records import State
from portico_users.notifications.webhooks.changes import TOO_MANY_WEBHOOKS, put_webhook, with_secret
from portico_users.notifications.webhooks.message import new_secret
from portico_users.notifications.webhooks.rules import MAX_WEBHOOKS
from portico_users.notifications.webhooks.webhook import Webhook


async def plan_webhooks(plan: Plan, owner_id: str, wanted: Organization | Document, path: str = "") -> None:
    """Adds the steps that bring the webhooks of an owner to what is wanted.

    Args:
        path: place of the organization; empty for the instance.

    Raises:
        ServiceError: naming the place, when one may not be so; USER-803 when there would be too many.
    """
    place = f"{path}.webhooks" if path else "webhooks"
    new = 0
    for number, one in enumerate(wanted.webhooks or ()):
        after, step = await _plan_webhook(plan, owner_id, one, f"{place}[{number}]")
        new += step.change.action == "created"
        plan.add(after, step)
    there = 0 if plan.prune else await plan.stored.webhooks.count(owner_id)
    if wanted.webhooks and (new + there if not plan.prune else len(wanted.webhooks)) > MAX_WEBHOOKS:
        raise at(place, TOO_MANY_WEBHOOKS.error())


async def _plan_webhook(plan: Plan, owner_id: str, wanted: WantedWebhook, path: str) -> tuple[Webhook, Step]:
    stored = plan.stored
    named = await stored.webhooks.find_by_name(owner_id, wanted.name)

    def fits(webhook: Webhook) -> bool:
        return webhook.org_id == owner_id and webhook.state is not State.DELETED

    before = await find_existing(stored.ids, Wanted(path, wanted.id, "name", fits, stored.webhooks.find, named))
    after, secret = (before, "") if before else await _new(plan, owner_id, wanted, path)
    after = msgspec.structs.replace(after, name=wanted.name, url=wanted.url, event_types=tuple(wanted.event_types))
    if wanted.state is not None:
        state = State(wanted.state.value)
        failure = "" if state is State.ACTIVE else after.failure
        after = msgspec.structs.replace(after, state=state, failure=failure)
    entry = put_webhook(before, after, stored.outbound_allowed, path=path)
    step = step_of(Subject("webhook", path, after.name), entry, secret=secret)
    return after, dataclasses.replace(step, afterwards=consequences(stored, before, after))


def consequences(stored: Stored, before: Webhook | None, after: Webhook) -> tuple[Callable[[], Awaitable[None]], ...]:
    """What the management API does as well after such a change."""
    if before is None:
        return ()
    if before.state is State.ACTIVE and after.state is not State.ACTIVE:
        return (lambda: stored.deliveries.withdraw(after.id),)
    if before.state is after.state and before.url == after.url:
        return ()
    return (
        lambda: stored.deliveries.hurry(after.id),
        lambda: stored.queues.reset_attempts(after.id),
        lambda: stored.queues.wake((after.id,)),
    )


async def _new(plan: Plan, owner_id: str, wanted: WantedWebhook, path: str) -> tuple[Webhook, str]:
    """A webhook with its secret, and the secret when it was made here."""
    made = "" if wanted.secret else new_secret(plan.stored.random)
    id = wanted.id or await plan.new_id(path)
    webhook = Webhook(id=id, org_id=owner_id, name=wanted.name, url=wanted.url, event_types=())
    try:
        return with_secret(webhook, wanted.secret or made, plan.stored.secrets), made
    except ServiceError as error:
        raise at(f"{path}.secret" if wanted.secret else path, ServiceError(error.kind, error.id, error.text)) from None
