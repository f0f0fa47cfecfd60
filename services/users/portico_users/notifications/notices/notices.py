"""Emails to account owners about changes of their accounts (LG-24, NIST SP 800-63B-4 section 4.6)."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.events import Changed
from portico_runtime.mongo.client import Database, Session
from portico_web.dates import date_with_zone
from portico_web.languages import pick_language

from portico_users.end_users.credential_changes import credential_changes
from portico_users.end_users.email_address import masked_email, may_recover, notification_address, notification_wait
from portico_users.end_users.end_user import EndUser
from portico_users.notifications.email.message import EmailMessage, EmailTemplate
from portico_users.notifications.email.queue import EmailQueue
from portico_users.notifications.notices.notice_links import SECONDS, NoticeLinks
from portico_users.organizations.org import ORGS
from portico_users.storage.entry import Entry, Notice, Work
from portico_users.values.operator_settings import Issuer
from portico_users.values.records import SYSTEM, Record, State


@dataclass(frozen=True, slots=True)
class Notices:
    """Enqueues notices; implements `Notifications`, so that it applies to all operations on credentials."""

    database: Database
    email_queue: EmailQueue | None
    issuer: Issuer
    links: NoticeLinks

    def notice_of(self, entry: Entry[Record], event: Changed) -> Work | None:
        """Returns the writes that enqueue the notice of a credential change; None for other changes.

        It goes to the address verified before the change, because a new one may be an attacker's. Changes by
        the operator's documents send no notice. Its link lets the recipient dispute the change.
        """
        before, after = entry.before, entry.after
        if (
            not isinstance(before, EndUser)
            or not isinstance(after, EndUser)
            or after.state is State.DELETED
            or event.actor == SYSTEM
        ):
            return None
        if not (changes := credential_changes(before, after, entry.attached)):
            return None
        values = {"changes": " ".join(changes), "new_mail": masked_email(after.email), **entry.notice_values}
        by = before if notification_address(before) else after
        if not (to := notification_address(by)):
            return None
        store = None
        if may_recover(after, to):
            link = self.links.plan(after.id, to, event, not_before=notification_wait(by), login_name=after.user_name)
            values["link"], store = link.address, link.work
        enqueue = self.notice(after, EmailTemplate.ACCOUNT_CHANGED, to=to, **values)(event.event_id, event.at)
        return _both(enqueue, store) if enqueue and store else enqueue

    def notice(self, human: EndUser, template: EmailTemplate, *, to: str = "", **values: str) -> Notice:
        queue, address = self.email_queue, to or notification_address(human)

        def enqueue(event_id: str, at: float) -> Work | None:
            if queue is None or not address:
                return None

            async def write(session: Session) -> None:
                organization = await self._name_of_org(session, human.org_id)
                message = self._message(address, human, template, at, {"organization": organization, **values})
                await queue.put(session, message, id=event_id, until=at + SECONDS)

            return write

        return enqueue

    def _message(
        self, to: str, human: EndUser, template: EmailTemplate, at: float, values: dict[str, str]
    ) -> EmailMessage:
        language = pick_language((human.preferred_language,)).tag
        when = date_with_zone(at, language, human.zoneinfo)
        values |= {"issuer": self.issuer, "login_name": human.user_name, "when": when}
        return EmailMessage(
            template=template, to=to, language=language, values=values, org_id=human.org_id, user_id=human.id
        )

    async def _name_of_org(self, session: Session, org_id: str) -> str:
        row = await self.database[ORGS.name].find_one({"_id": org_id}, {"name": 1}, session=session)
        return str(row["name"]) if row else self.issuer


def _both(first: Work, second: Work) -> Work:
    async def write(session: Session) -> None:
        await first(session)
        await second(session)

    return write
