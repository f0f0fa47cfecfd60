from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_contracts.apply import Document, EmailSender, Organization, SmsSender

from portico_users.documents.plan import Plan
from portico_users.documents.step import Step, Subject, step_of
from portico_users.notifications.commands.senders import SetSender
from portico_users.notifications.senders.sender import (
    EMAIL_SENDER_FIELDS,
    SMS_SENDER_FIELDS,
    Channel,
    MongoSenders,
    Sender,
)
from portico_users.values.fields import DeclaredValues
from portico_users.values.problems import below


@dataclass(frozen=True, slots=True)
class SenderPlanner:
    """A document that leaves a sender out keeps it, also with ``--prune``: its secret could not be restored."""

    senders: MongoSenders
    set_sender: SetSender

    async def plan_senders(self, plan: Plan, owner_id: str, wanted: Organization | Document, path: str = "") -> None:
        parts: list[tuple[str, Channel, SmsSender | EmailSender | None]] = [
            ("smsSender", Channel.SMS, wanted.sms_sender)
        ]
        if isinstance(wanted, Organization):
            parts.append(("emailSender", Channel.EMAIL, wanted.email_sender))
        for name, channel, declared in parts:
            if declared is not None:
                place = f"{path}.{name}" if path else name
                plan.add(
                    *await self._plan_sender(plan, Sender(id="", org_id=owner_id, channel=channel), declared, place)
                )

    async def _plan_sender(
        self, plan: Plan, new: Sender, wanted: SmsSender | EmailSender, path: str
    ) -> tuple[Sender, Step]:
        found = await self.senders.find_of(new.org_id, new.channel)
        before = found or msgspec.structs.replace(new, id=await plan.new_id(path))
        with below(path):
            if isinstance(wanted, SmsSender):
                after = SMS_SENDER_FIELDS.changed(before, DeclaredValues(wanted))
                password = ""
            else:
                # What the document leaves out is empty: a sender is either a hook or a mail server.
                bare = EMAIL_SENDER_FIELDS.changed(before, DeclaredValues(_NOTHING))
                after = EMAIL_SENDER_FIELDS.changed(bare, DeclaredValues(wanted))
                password = str(wanted.smtp_password or "")
            planned = self.set_sender.plan(before, after, password=password, secret=str(wanted.secret or ""))
        return planned.entry.after, step_of(
            Subject("sender", path, new.channel.value), planned.entry, secret=planned.secret
        )


_NOTHING = EmailSender(url="", smtp_host="", smtp_port=0, smtp_security="unspecified", smtp_user="", from_address="")
