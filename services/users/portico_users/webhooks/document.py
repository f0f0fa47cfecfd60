from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from portico_contracts.apply import Document, Organization
from portico_contracts.apply import Webhook as WantedWebhook

from portico_users.documents.finding import Wanted, find_existing
from portico_users.documents.plan import Plan
from portico_users.documents.step import Step, Subject, step_of
from portico_users.projects.project import Project
from portico_users.storage.schema import IdSpace
from portico_users.values.fields import DeclaredValues
from portico_users.values.problems import at, below
from portico_users.values.records import State
from portico_users.webhooks.commands import AddWebhook, UpdateWebhook
from portico_users.webhooks.rules import HOOK_PROJECT
from portico_users.webhooks.store import SECOND_HOOK, MongoWebhooks
from portico_users.webhooks.webhook import WEBHOOK_FIELDS, Webhook


@dataclass(frozen=True, slots=True)
class WebhookPlanner:
    ids: IdSpace
    webhooks: MongoWebhooks
    add_webhook: AddWebhook
    update_webhook: UpdateWebhook

    async def plan_webhooks(self, plan: Plan, owner_id: str, wanted: Organization | Document, path: str = "") -> None:
        place, add = f"{path}.webhooks" if path else "webhooks", self.add_webhook
        new = 0
        for number, one in enumerate(wanted.webhooks or ()):
            after, step = await self._plan_webhook(plan, owner_id, one, f"{place}[{number}]")
            new += step.change.action == "created"
            plan.add(after, step)
        if wanted.webhooks:
            with below(place):
                if plan.prune:
                    add.refuse_more(len(wanted.webhooks))
                else:
                    await add.refuse_too_many(owner_id, new)

    async def _plan_webhook(self, plan: Plan, owner_id: str, wanted: WantedWebhook, path: str) -> tuple[Webhook, Step]:
        named = await self.webhooks.find_by_name(owner_id, wanted.name)

        def fits(webhook: Webhook) -> bool:
            return webhook.org_id == owner_id and webhook.state is not State.DELETED

        before = await find_existing(self.ids, Wanted(path, wanted.id, "name", fits, self.webhooks.find, named))
        webhook = before or Webhook(
            id=wanted.id or await plan.new_id(path), org_id=owner_id, name="", url="", event_types=()
        )
        after = WEBHOOK_FIELDS.changed(webhook, DeclaredValues(wanted))
        with below(path):
            if before is None:
                planned = self.add_webhook.plan(after, secret=wanted.secret or "")
            else:
                planned = self.update_webhook.plan(before, after)
            if planned.entry.after.is_token_hook:
                await self._check_hook(plan, planned.entry.after)
        step = step_of(Subject("webhook", path, after.name), planned.entry, secret=planned.secret)
        return planned.entry.after, dataclasses.replace(step, afterwards=planned.effects)

    async def _check_hook(self, plan: Plan, hook: Webhook) -> None:
        """Raises USER-153 for a project that neither the organization nor the document has, USER-155 for a second hook."""
        if not hook.of_instance and await self._find_project(plan, hook) is None:
            raise at("projectId", HOOK_PROJECT.error())
        if plan.leaves(await self.webhooks.find_hook_of(hook.project_id), hook.id):
            raise at("projectId", SECOND_HOOK.error())

    async def _find_project(self, plan: Plan, hook: Webhook) -> Project | None:
        """Finds it by id alone."""
        home = next((one for one in plan.orgs if one.org.id == hook.org_id), None)
        planned = {one.project.id: one.project for one in home.projects} if home else {}
        if found := planned.get(hook.project_id):
            return found
        stored = await plan.stores.projects.find(hook.project_id)
        is_there = stored is not None and stored.org_id == hook.org_id and stored.state is not State.DELETED
        return stored if is_there else None
