from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from portico_contracts.activities.sign_ins import IMPERSONATED, IMPERSONATIONS
from portico_contracts.events import LOGIN_IMPERSONATED, LoginImpersonated

from portico_users.applications.app_record import App
from portico_users.end_users.end_user import EndUser
from portico_users.journal.command import Command
from portico_users.journal.event_recorder import Occurrence
from portico_users.journal.journal import Journal
from portico_users.notifications.email.message import EmailTemplate
from portico_users.notifications.notices.notices import Notices


@dataclass(frozen=True, slots=True)
class RecordImpersonation(Command):
    journal: Journal
    notices: Notices

    async def __call__(self, user: EndUser, app: App, *, actor: str) -> None:
        """Publishes and logs that the actor acts for the user, who is notified."""
        await self.journal.publish(
            LOGIN_IMPERSONATED,
            partial(LoginImpersonated, user_id=user.id, actor_id=actor, client_id=app.client_id),
            about=user.id,
            notice=self.notices.notice(user, EmailTemplate.ACTED_FOR, application=app.name),
            logged=Occurrence(
                IMPERSONATIONS, user.org_id, IMPERSONATED, {"userId": user.id, "appId": app.id}, actor=actor
            ),
        )
