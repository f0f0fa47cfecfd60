"""Codes by mail as a second factor: whether a user has that."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.directory.people.changes import put_human
from portico_users.directory.people.human import Human
from portico_users.kernel.journal import Journal

EMAIL_NOT_VERIFIED = ErrorCode(
    "USER-530", Kind.FAILED_PRECONDITION, "The mail address is not verified.", "Verify it first."
)
OTP_EMAIL_ALREADY_ADDED = ErrorCode(
    "USER-531", Kind.ALREADY_EXISTS, "Codes by mail are a second factor already.", "Go on without this call."
)
OTP_EMAIL_NOT_FOUND = ErrorCode(
    "USER-532", Kind.NOT_FOUND, "Codes by mail are no second factor of this user.", "Go on without this call."
)


@dataclass(frozen=True, slots=True)
class OtpEmail:
    """Switches it on and off."""

    journal: Journal

    async def add(self, human: Human, *, actor: str) -> Human:
        """The user with codes by mail.

        Raises:
            ServiceError: USER-530, USER-531, USER-012, `unavailable`.
        """
        if human.has_otp_email:
            raise OTP_EMAIL_ALREADY_ADDED.error()
        if not human.email_verified:
            raise EMAIL_NOT_VERIFIED.error()
        return await self._set(human, has_otp_email=True, actor=actor)

    async def remove(self, human: Human, *, actor: str) -> Human:
        """The user without.

        Raises:
            ServiceError: USER-532, USER-012, `unavailable`.
        """
        if not human.has_otp_email:
            raise OTP_EMAIL_NOT_FOUND.error()
        return await self._set(human, has_otp_email=False, actor=actor)

    async def _set(self, human: Human, *, has_otp_email: bool, actor: str) -> Human:
        after = msgspec.structs.replace(human, has_otp_email=has_otp_email)
        [changed] = await self.journal.commit([put_human(human, after)], actor=actor)
        return changed if isinstance(changed, Human) else after
