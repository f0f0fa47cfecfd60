"""Adds a code to the change of a human: both are committed together."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from portico_users.codes.challenge import Subject
from portico_users.codes.user_codes import CodeRequest, UserCodes
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.human import Human
from portico_users.kernel.entry import Entry

_ATTACHED: Final = {
    Subject.EMAIL: "emailCode",
    Subject.PHONE: "phoneCode",
    Subject.PASSWORD: "passwordCode",
    Subject.INVITE: "inviteCode",
}
"""The name of a code among the fields of an event."""


class WithCode(NamedTuple):
    """An entry that creates a code.

    Attributes:
        code: to be returned; empty when it is sent by email.
    """

    entry: Entry[Human]
    code: str = ""


def with_code(codes: UserCodes, entry: Entry[Human], org: Org, code_request: CodeRequest | None) -> WithCode:
    """The entry with a code for the human as it is after the change. Raises as `UserCodes.plan`."""
    if code_request is None:
        return WithCode(entry)
    planned = codes.plan(entry.after, org, code_request)
    attached = (*entry.attached, _ATTACHED[code_request.subject])
    return WithCode(
        replace(entry, side_writes=(*entry.side_writes, *planned.side_writes), attached=attached), planned.code
    )
