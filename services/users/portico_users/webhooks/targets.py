"""The webhook that a call of the management API names."""

from __future__ import annotations

from typing import Protocol

from portico_users.management_api.transport.call import RequestContext, Target
from portico_users.management_api.transport.targets import EVERYWHERE, own_or_named_org
from portico_users.organizations.org import MongoOrgs
from portico_users.values.names import INSTANCE
from portico_users.webhooks.store import WEBHOOK_NOT_FOUND, MongoWebhooks
from portico_users.webhooks.webhook import Webhook


class NamesWebhook(Protocol):
    @property
    def webhook_id(self) -> str: ...


async def own_webhook(
    context: RequestContext, request: NamesWebhook, *, orgs: MongoOrgs, webhooks: MongoWebhooks
) -> Target[Webhook]:
    """Finds the organization's webhook; those of other organizations count as unknown (MG-01, MG-04)."""
    org = await own_or_named_org(context, request, orgs=orgs)
    return Target(org.org_id, await _find(webhooks, request, org.org_id), WEBHOOK_NOT_FOUND)


async def instance_webhook(
    _context: RequestContext, request: NamesWebhook, *, webhooks: MongoWebhooks
) -> Target[Webhook]:
    return Target(EVERYWHERE, await _find(webhooks, request, INSTANCE), WEBHOOK_NOT_FOUND)


async def _find(webhooks: MongoWebhooks, request: NamesWebhook, owner_id: str) -> Webhook:
    webhook = await webhooks.find_owned(request.webhook_id, owner_id)
    if webhook is None:
        raise WEBHOOK_NOT_FOUND.error()
    return webhook
