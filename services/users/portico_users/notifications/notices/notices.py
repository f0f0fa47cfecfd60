"""Notices: whoever has an account is told by mail when its keys change (LG-24, NIST SP 800-63B-4 section 4.6).

They hang on the journal, so that nobody who changes a human has to remember them: written in the transaction of the
change, one for each change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from portico_contracts.events import Changed
from portico_runtime.mongo import Database, Session
from portico_web.languages import pick_language

from portico_users.directory.organizations.store import ORGS
from portico_users.directory.people.email_address import masked_email, notification_address
from portico_users.directory.people.human import Human
from portico_users.kernel.entry import Entry, Work
from portico_users.kernel.journal import SYSTEM
from portico_users.kernel.records import State
from portico_users.notifications.email.message import EmailMessage, EmailTemplate
from portico_users.notifications.email.queue import EmailQueue
from portico_users.notifications.notices.credential_changes import CredentialChange, credential_changes

SECONDS: Final = 604_800.0
"""How long a notice is of use: late is better than never."""


@dataclass(frozen=True, slots=True)
class Notices:
    """Writes notices."""

    database: Database
    email_queue: EmailQueue
    issuer: str

    def notice_of(self, entry: Entry[Any], said: Changed) -> Work | None:
        """What has the notice of a change sent; None where nobody is told.

        The address that was proven before the change is told: a new one may be the thief's. The operator's documents
        tell nobody.
        """
        before, after = entry.before, entry.after
        if not isinstance(before, Human) or after.state is State.DELETED or said.actor == SYSTEM:
            return None
        to, changes = notification_address(before) or notification_address(after), credential_changes(before, entry)
        if not to or not changes:
            return None

        async def write(session: Session) -> None:
            message = self._message(to, after, changes, said.at, await self._name_of_org(session, after.org_id))
            await self.email_queue.put(session, message, id=said.event_id, until=said.at + SECONDS)

        return write

    def _message(
        self, to: str, human: Human, changes: Sequence[CredentialChange], at: float, organization: str
    ) -> EmailMessage:
        values = {
            "issuer": self.issuer,
            "organization": organization,
            "login_name": human.user_name,
            "changes": " ".join(changes),
            "new_mail": masked_email(human.email),
            "when": f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC",
        }
        language = pick_language((human.preferred_language,)).tag
        return EmailMessage(template=EmailTemplate.ACCOUNT_CHANGED, to=to, language=language, values=values)

    async def _name_of_org(self, session: Session, org_id: str) -> str:
        row = await self.database[ORGS.name].find_one({"_id": org_id}, {"name": 1}, session=session)
        return str(row["name"]) if row else self.issuer
