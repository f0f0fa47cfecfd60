"""Whose sender carries a message: that of the recipient's organization, or that of the instance."""

from __future__ import annotations

from dataclasses import dataclass

from portico_users.administrators.member import MongoMembers
from portico_users.administrators.permissions import Scope
from portico_users.notifications.senders.sender import Channel, MongoSenders, Sender
from portico_users.values.names import INSTANCE
from portico_users.values.records import State


@dataclass(frozen=True, slots=True)
class SenderChoice:
    senders: MongoSenders
    members: MongoMembers

    async def find_for_text(self, org_id: str, user_id: str) -> Sender | None:
        return await self._find_own(org_id, user_id, Channel.SMS) or await self.senders.find_of(INSTANCE, Channel.SMS)

    async def has_for_text(self, org_id: str) -> bool:
        """Reports whether users of an organization can get text messages: a rule may rely on them. Sends nothing."""
        for holder in (org_id, INSTANCE):
            if holder and await self.senders.find_of(holder, Channel.SMS):
                return True
        return False

    async def find_for_email(self, org_id: str, user_id: str) -> Sender | None:
        """Returns None for the mail server of the instance."""
        return await self._find_own(org_id, user_id, Channel.EMAIL)

    async def find(self, sender_id: str) -> Sender | None:
        sender = await self.senders.find(sender_id)
        return sender if sender and sender.state is State.ACTIVE else None

    async def _find_own(self, org_id: str, user_id: str, channel: Channel) -> Sender | None:
        """Returns None for an unknown user too: what they may do elsewhere is unknown (decision 0109)."""
        own = await self.senders.find_of(org_id, channel) if org_id and user_id else None
        return None if own is None or await self._may_do_more(user_id, org_id) else own

    async def _may_do_more(self, user_id: str, org_id: str) -> bool:
        """The operator of an organization's sender reads codes and links. With those of users who have roles
        elsewhere, the operator could take over these roles (decision 0102).
        """
        memberships = await self.members.list_of_user(user_id)
        return any(one.roles and (one.scope is Scope.INSTANCE or one.org_id != org_id) for one in memberships)
