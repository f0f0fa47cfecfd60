"""Finds what a call about webhooks is about."""

from __future__ import annotations

from typing import Protocol

from portico_users.api.transport.call import RequestContext, Target
from portico_users.api.transport.targets import EVERYWHERE, own_or_named_org
from portico_users.directory.organizations.org import MongoOrgs
from portico_users.kernel.names import INSTANCE
from portico_users.notifications.webhooks.store import WEBHOOK_NOT_FOUND, MongoWebhooks
from portico_users.notifications.webhooks.webhook import Webhook


class NamesWebhook(Protocol):
    """A request with the id of a webhook."""

    @property
    def webhook_id(self) -> str:
        """The id."""
        ...


async def own_webhook(
    context: RequestContext, request: NamesWebhook, *, orgs: MongoOrgs, webhooks: MongoWebhooks
) -> Target[Webhook]:
    """The organization's own webhook; another organization's is like an unknown one (MG-01, MG-04).

    Raises:
        ServiceError: USER-800 when there is none; USER-313 for a header that may not be.
    """
    org = await own_or_named_org(context, request, orgs=orgs)
    return Target(org.org_id, await _find(webhooks, request, org.org_id), WEBHOOK_NOT_FOUND)


async def instance_webhook(
    _context: RequestContext, request: NamesWebhook, *, webhooks: MongoWebhooks
) -> Target[Webhook]:
    """The instance's webhook whose id the request has; USER-800 when there is none."""
    return Target(EVERYWHERE, await _find(webhooks, request, INSTANCE), WEBHOOK_NOT_FOUND)


async def _find(webhooks: MongoWebhooks, request: NamesWebhook, owner_id: str) -> Webhook:
    webhook = await webhooks.find_owned(request.webhook_id, owner_id)
    if webhook is None:
        raise WEBHOOK_NOT_FOUND.error()
    return webhook
