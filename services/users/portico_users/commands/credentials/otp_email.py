"""Adds and removes codes by email as a second factor."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.commands.command import Command, Commit
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.human import Human

EMAIL_NOT_VERIFIED = ErrorCode(
    "USER-530", Kind.FAILED_PRECONDITION, "The email address is not verified.", "Verify the email address first."
)
OTP_EMAIL_ALREADY_ADDED = ErrorCode(
    "USER-531", Kind.ALREADY_EXISTS, "Emailed codes are already a second factor.", "No action needed."
)
OTP_EMAIL_NOT_FOUND = ErrorCode(
    "USER-532", Kind.NOT_FOUND, "Emailed codes are not a second factor of this user.", "No action needed."
)


@dataclass(frozen=True, slots=True)
class SetOtpEmail(Command):
    """Adds them to a user whose email address is verified, or removes them."""

    commit: Commit

    async def __call__(self, human: Human, wanted: bool, *, actor: str) -> Human:
        """The user with codes by email, or without; USER-530, USER-531; USER-532."""
        if human.has_otp_email is wanted:
            raise (OTP_EMAIL_ALREADY_ADDED if wanted else OTP_EMAIL_NOT_FOUND).error()
        if wanted and not human.email_verified:
            raise EMAIL_NOT_VERIFIED.error()
        return await self.commit(put_human(human, msgspec.structs.replace(human, has_otp_email=wanted)), actor=actor)
