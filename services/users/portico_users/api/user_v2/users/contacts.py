"""What changes with an address or a number: the codes for it die, and it is proven only when somebody vouches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from portico_users.api.transport.call import Call
from portico_users.api.transport.needs import Needs
from portico_users.codes.challenge import Subject
from portico_users.directory.people.email_address import RECOVERY_WAITS, with_address
from portico_users.directory.people.human import Human
from portico_users.kernel.entry import Entry
from portico_users.kernel.names import INVALID_MAIL, INVALID_PHONE, is_mail, is_phone
from portico_users.kernel.problems import at


def with_mail(call: Call[Any], entry: Entry[Human], mail: str, *, vouched: bool, place: str) -> Entry[Human]:
    """The entry with another mail address; codes for a password were mailed to the old one and die too.

    No other is mailed to an address that users set for themselves before a day is over, whatever they may do to others
    (USER-900): a stolen token must not become the account (LG-24).

    Raises:
        ServiceError: USER-005, naming the place.
    """
    if not is_mail(mail):
        raise at(place, INVALID_MAIL.error())
    recovery_from = _recovery_from(call, entry.after, mail)
    after = with_address(entry.after, mail, verified=vouched, recovery_from=recovery_from)
    forget = call.needs.codes.forget(after.id, Subject.MAIL, Subject.PASSWORD, Subject.INVITE)
    return replace(entry, after=after, side_writes=(*entry.side_writes, forget))


def _recovery_from(call: Call[Any], human: Human, mail: str) -> float:
    if call.caller.user_id != human.id:
        return 0.0
    return human.recovery_from if mail == human.email else call.needs.clock.now() + RECOVERY_WAITS


def with_phone(needs: Needs, entry: Entry[Human], phone: str, *, vouched: bool, place: str) -> Entry[Human]:
    """The entry with another phone number.

    Raises:
        ServiceError: USER-006, naming the place.
    """
    if not is_phone(phone):
        raise at(place, INVALID_PHONE.error())
    return without_phone(needs, entry, phone, vouched=vouched)


def without_phone(needs: Needs, entry: Entry[Human], phone: str = "", *, vouched: bool = False) -> Entry[Human]:
    """The entry without a number, or with one that may be so."""
    after = msgspec.structs.replace(entry.after, phone=phone, phone_verified=vouched)
    return replace(entry, after=after, side_writes=(*entry.side_writes, needs.codes.forget(after.id, Subject.PHONE)))
