"""Carries a message by the sender of an organization, or a text message by that of the instance."""

from __future__ import annotations

from dataclasses import dataclass

from portico_runtime.process.clock import Clock

from portico_users.notifications.email.delivery_record import DeliveryRecord
from portico_users.notifications.email.message import EmailBranding, EmailMessage, mime_of, render, sender_of
from portico_users.notifications.email.queue import Queued
from portico_users.notifications.email.text_message import TextMessage, text_of
from portico_users.notifications.email.transport import NotSent, Undeliverable
from portico_users.notifications.senders.choice import SenderChoice
from portico_users.notifications.senders.hook import Hook
from portico_users.notifications.senders.own_smtp import OwnSmtp
from portico_users.notifications.senders.sender import Sender


@dataclass(frozen=True, slots=True)
class OwnSenders:
    choice: SenderChoice
    hook: Hook
    smtp: OwnSmtp
    record: DeliveryRecord
    clock: Clock

    async def find(self, message: Queued) -> ChosenSender | None:
        """Returns None for an email by the mail server of the instance, and where no sender is left."""
        sender = await self._find(message)
        return ChosenSender(self, sender) if sender else None

    async def _find(self, message: Queued) -> Sender | None:
        if message.sender_id:
            return await self.choice.find(message.sender_id)
        if isinstance(message, TextMessage):
            return await self.choice.find_for_text(message.org_id, message.user_id)
        return await self.choice.find_for_email(message.org_id, message.user_id)

    async def carry(self, sender: Sender, id: str, message: Queued, branding: EmailBranding) -> None:
        """Records the result. Raises `Undeliverable` or `NotNow`."""
        is_test = bool(message.sender_id)
        try:
            if isinstance(message, TextMessage):
                await self._carry_text(sender, id, message)
            else:
                await self._carry_email(sender, id, message, branding)
        except NotSent as reason:
            await self.record.failed(reason.reply if is_test else str(reason), of=sender.id, always=is_test)
            raise
        await self.record.delivered(of=sender.id, always=is_test)

    async def _carry_text(self, sender: Sender, id: str, message: TextMessage) -> None:
        if not message.to.startswith(sender.allowed_prefixes):
            raise Undeliverable("the number has no allowed prefix")
        data = {
            "to": message.to,
            "text": text_of(message),
            "code": message.code,
            "purpose": message.purpose.value,
            "language": message.language,
            "organizationId": message.org_id,
        }
        await self.hook.send(sender, id, "sms.send", data)

    async def _carry_email(self, sender: Sender, id: str, message: EmailMessage, branding: EmailBranding) -> None:
        if sender.smtp_host:
            now = self.clock.now()
            try:
                mime = mime_of(message, id=id, sender=sender_of(sender.from_address), now=now, branding=branding)
            except ValueError:
                raise Undeliverable("no message can be made of it") from None
            await self.smtp.send(sender, mime)
            return
        words = render(message, EmailBranding(branding.branding))  # the receiver gets no images
        data = {
            "to": message.to,
            "subject": words.subject,
            "text": words.text,
            "html": words.html,
            "purpose": message.template.value,
            "language": message.language,
            "organizationId": message.org_id,
        }
        await self.hook.send(sender, id, "email.send", data)


@dataclass(frozen=True, slots=True)
class ChosenSender:
    """Implements `OwnSender`."""

    own_senders: OwnSenders
    sender: Sender

    @property
    def id(self) -> str:
        return self.sender.id

    async def send(self, id: str, message: Queued, branding: EmailBranding) -> None:
        await self.own_senders.carry(self.sender, id, message, branding)
