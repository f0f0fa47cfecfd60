"""Sets a password by what proves that the caller may: the current one, a code, or the permission to write users."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec
from portico_contracts.generated.portico.user.v2.user_changes_pb2 import SetPassword
from portico_contracts.generated.portico.user.v2.user_passwords_pb2 import SetPasswordRequest
from portico_oauth.errors import Refusal

from portico_users.credentials.setting import WRONG_PASSWORD
from portico_users.humans.human import Human
from portico_users.journal.entry import Attachment, Claim, Entry
from portico_users.management.call import Call
from portico_users.management.calls.users.chosen_codes import require_manager
from portico_users.registration.challenge import Subject
from portico_users.registration.challenges import claim_of
from portico_users.registration.user_codes import WRONG_CODE

CAUSE: Final = "password"
"""Of the wish that everything given for the old password ends."""

Wanted = SetPassword | SetPasswordRequest


@dataclass(frozen=True, slots=True)
class Proof:
    """Why the caller may set the password.

    Args:
        claims: the code, which is used up.
        mail_read: the code was mailed, so that whoever has it reads the address.
    """

    claims: tuple[Claim, ...] = ()
    mail_read: bool = False


async def prove(call: Call[Any], human: Human, wanted: Wanted) -> Proof:
    """Checks what the caller shows.

    Raises:
        Refusal: USER-403 for another current password, USER-402 for another code, USER-312 when nothing is shown
            and the permission is missing; USER-033 when the caller must wait.
    """
    match wanted.WhichOneof("verification"):
        case "current_password":
            await call.needs.passwords.require_current(human.id, wanted.current_password)
            return Proof()
        case "verification_code":
            challenge = await call.needs.codes.guess(human, Subject.PASSWORD, wanted.verification_code)
            return Proof((claim_of(challenge),), mail_read=bool(challenge.purpose.to))
        case _:
            require_manager(call, "password")
            return Proof()


async def is_repeated(call: Call[Any], human: Human, password: str, refusal: Refusal) -> bool:
    """The caller was answered 503 when they set this password, and shows now what has been used up by that."""
    used_up = refusal.id in (WRONG_PASSWORD.id, WRONG_CODE.id)
    if not used_up or not password or not await call.needs.revocations.is_pending(human.id, CAUSE):
        return False
    return await call.needs.passwords.is_set(human.id, password)


def with_password(
    call: Call[Any], entry: Entry[Human], proof: Proof, password: Attachment, *, change_required: bool
) -> Entry[Human]:
    """The entry that also sets the password, and ends everything given for the old one."""
    human, needs = entry.after, call.needs
    after = msgspec.structs.replace(
        human,
        has_password=True,
        password_change_required=change_required,
        email_verified=human.email_verified or proof.mail_read,
    )
    # A code that is used up is taken by its claim; without one the codes of before are worth nothing any more.
    along = entry.along if proof.claims else (*entry.along, needs.codes.forget(human.id, Subject.PASSWORD))
    wish = needs.revocations.wish(human.id, CAUSE, sessions=True)
    return replace(
        entry,
        after=after,
        attachments=(*entry.attachments, password, wish),
        attached=(*entry.attached, "password"),
        claims=(*entry.claims, *proof.claims),
        along=along,
    )
