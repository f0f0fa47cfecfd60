"""Sets a password by what proves that the caller may: the current one, a code, or the permission to write users."""

from __future__ import annotations

from typing import Any

from portico_contracts.generated.portico.user.v2.user_changes_pb2 import SetPassword
from portico_contracts.generated.portico.user.v2.user_passwords_pb2 import SetPasswordRequest
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.transport.call import Call
from portico_users.api.transport.rights import require_covered
from portico_users.api.user_v2.users.chosen_codes import require_manager
from portico_users.commands.people.new_password import NewPasswords, Proof
from portico_users.directory.people.human import Human

OWN_UNPROVEN = ErrorCode(
    "USER-880",
    Kind.PERMISSION_DENIED,
    "Nobody replaces their own password without the one they have, or a code they were mailed.",
    "Give the current password, or have a code mailed.",
)

Wanted = SetPassword | SetPasswordRequest


def new_passwords(call: Call[Any]) -> NewPasswords:
    """What makes the entries."""
    return NewPasswords(call.needs.passwords, call.needs.codes, call.needs.revocations)


async def prove(call: Call[Any], human: Human, wanted: Wanted) -> Proof:
    """Checks what the caller shows.

    Raises:
        ServiceError: USER-403 for another current password, USER-402 for another code, USER-312 and USER-712 when
            nothing is shown and the permission or the rights are missing, USER-880 when it is the caller's own that
            is replaced; USER-033 when the caller must wait.
    """
    match wanted.WhichOneof("verification"):
        case "current_password":
            await call.needs.passwords.require_current(human, wanted.current_password)
            return Proof()
        case "verification_code":
            return await new_passwords(call).guess(human, wanted.verification_code)
        case _:
            require_manager(call, "password")
            refuse_own(call, human)
            await require_covered(call, call.needs.members)
            return Proof()


def refuse_own(call: Call[Any], human: Human) -> None:
    """Returns unless the caller has a password and it is this one: else a stolen token were the account (LG-24).

    Raises:
        ServiceError: USER-880.
    """
    if human.has_password and human.id == call.caller.user_id:
        raise OWN_UNPROVEN.error()
