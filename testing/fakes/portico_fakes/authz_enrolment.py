from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace
from portico_contracts.users import (
    Factor,
    User,
)
from portico_contracts.users.enrolment import (
    BEGIN_ENROLLED_KEY,
    BEGIN_ENROLLED_TOTP,
    BEGIN_ENROLMENT,
    FINISH_ENROLMENT,
    GET_ENROLLED_CODES,
    VERIFY_ENROLMENT_CODE,
    BeginEnrolledKey,
    BeginEnrolledTotp,
    BeginEnrolment,
    EnrolledCodes,
    EnrolledKeyBegun,
    EnrolledTotpBegun,
    EnrolmentBegun,
    EnrolmentCodeVerified,
    EnrolmentFinished,
    FinishEnrolment,
    GetEnrolledCodes,
    VerifyEnrolmentCode,
)
from portico_oauth.errors import ErrorCode, Kind

from portico_fakes.memory_bus import MemoryBus

ENROLMENT_CODE: Final = "87654321"
"""The code in the email."""

APP_CODE: Final = "444444"
"""The code of the authenticator app after its setup."""

RECOVERY: Final = ("AAAA-1111", "BBBB-2222")

OVER = ErrorCode("TEST-092", Kind.FAILED_PRECONDITION, "This enrolment is over.")
HAS_FACTOR = ErrorCode("TEST-091", Kind.FAILED_PRECONDITION, "There is a second factor already.")


class FakeEnrolments:
    """Each enrolment is opened by its code and completed once.

    Attributes:
        mail: the address that gets the code; empty where none is required.
        begun: the requests; an enrolment is named by its number.
        opened, finished: names of enrolments.
        keys: kinds of the credentials whose registration began; the response to the first is ``key-1:made``.
    """

    def __init__(self, bus: MemoryBus, people: dict[str, User], refuse_haste: Callable[[], None]) -> None:
        self._people = people
        self._refuse_haste = refuse_haste
        self.mail = "ada@mail.test"
        self.begun: list[BeginEnrolment] = []
        self.opened: set[str] = set()
        self.finished: dict[str, FinishEnrolment] = {}
        self.keys: list[Factor] = []
        self.answered: set[str] = set()
        self.changes = 0
        """Number of registered factors."""
        bus.respond(BEGIN_ENROLMENT, self._begin)
        bus.respond(VERIFY_ENROLMENT_CODE, self._verify)
        bus.respond(BEGIN_ENROLLED_TOTP, self._begin_totp)
        bus.respond(BEGIN_ENROLLED_KEY, self._begin_key)
        bus.respond(FINISH_ENROLMENT, self._finish)
        bus.respond(GET_ENROLLED_CODES, self._codes)

    async def _begin(self, ask: BeginEnrolment) -> EnrolmentBegun:
        self._refuse_haste()
        if set(self._people[ask.user_id].factors) - {Factor.RECOVERY_CODE}:
            raise HAS_FACTOR.error()
        self.begun.append(ask)
        name = f"enrolment-{len(self.begun)}"
        mail = "" if ask.proved_address else self.mail
        if not mail:
            self.opened.add(name)
        return EnrolmentBegun(enrolment=name, mail=mail)

    async def _verify(self, ask: VerifyEnrolmentCode) -> EnrolmentCodeVerified:
        self._refuse_haste()
        if ask.enrolment != f"enrolment-{len(self.begun)}" or ask.code != ENROLMENT_CODE:
            return EnrolmentCodeVerified()
        self.opened.add(ask.enrolment)
        return EnrolmentCodeVerified(right=True)

    async def _begin_totp(self, ask: BeginEnrolledTotp) -> EnrolledTotpBegun:
        self._require_open(ask.enrolment)
        secret = f"SECRETOF{ask.enrolment[-1]}"
        return EnrolledTotpBegun(uri=f"otpauth://totp/Portico:ada?secret={secret}", secret=secret)

    async def _begin_key(self, ask: BeginEnrolledKey) -> EnrolledKeyBegun:
        self._require_open(ask.enrolment)
        self.keys.append(ask.factor)
        name = f"key-{len(self.keys)}"
        return EnrolledKeyBegun(registration=name, options=f"options of {name}")

    async def _finish(self, ask: FinishEnrolment) -> EnrolmentFinished:
        self._refuse_haste()
        if self.finished.get(ask.enrolment) == ask:
            return EnrolmentFinished(user=self._people[ask.user_id])
        self._require_open(ask.enrolment)
        if set(self._people[ask.user_id].factors) - {Factor.RECOVERY_CODE}:
            raise HAS_FACTOR.error()
        if not self._is_right(ask):
            return EnrolmentFinished()
        self.finished[ask.enrolment] = ask
        self.changes += 1
        user, factors = self._people[ask.user_id], (ask.factor, Factor.RECOVERY_CODE)
        self._people[ask.user_id] = replace(
            user, factors=factors, version=f"v{self.changes}", trust_epoch=user.trust_epoch + 1
        )
        return EnrolmentFinished(user=self._people[ask.user_id])

    async def _codes(self, ask: GetEnrolledCodes) -> EnrolledCodes:
        return EnrolledCodes(codes=RECOVERY if ask.enrolment in self.finished else ())

    def _is_right(self, ask: FinishEnrolment) -> bool:
        if ask.factor is Factor.OTP_EMAIL:
            return True
        if ask.factor is Factor.TOTP:
            return ask.code == APP_CODE
        registration, _, answer = ask.credential.partition(":")
        if registration != ask.registration or registration in self.answered:
            return False
        self.answered.add(registration)  # a challenge is good for one answer
        return answer == "made"

    def _require_open(self, name: str) -> None:
        if name not in self.opened or name in self.finished:
            raise OVER.error()
