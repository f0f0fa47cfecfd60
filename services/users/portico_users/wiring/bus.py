"""The bus and the bulk doors: what answers on the bus is `Assembled`, but for what is older than that."""

from __future__ import annotations

from portico_users.bulk.user_import.user_import import UserImport
from portico_users.commands.people.emailed_links import EmailedLinks
from portico_users.commands.people.register import Registration
from portico_users.commands.people.send_email_code import MailCodes
from portico_users.commands.people.verify_email import MailVerification
from portico_users.wiring.parts import Parts


def add_bus(parts: Parts) -> None:
    """Adds the room."""
    parts.offer(UserImport, EmailedLinks, Registration, MailCodes, MailVerification)
