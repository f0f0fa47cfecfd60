"""An enrolment as authz asks users about it."""

from __future__ import annotations

import base64
import json
import re
import secrets
from typing import Any

from portico_contracts.users import (
    Factor,
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
    EnrolledKeyBegun,
    FinishEnrolment,
    GetEnrolledCodes,
    VerifyEnrolmentCode,
)
from portico_fakes.soft_authenticator import UP, UV, SoftAuthenticator
from portico_users.credentials.totp.time_codes import code_at

ORIGIN = "http://localhost:8080"
BOTH = (Factor.TOTP, Factor.RECOVERY_CODE)


class Enrolling:
    """One sign-in of Ada that registers a factor."""

    def __init__(self, sign_in: Any) -> None:
        self.sign_in = sign_in
        self.world = sign_in.world
        self.user_id: str = sign_in.user_id
        self.name = ""

    async def begin(self) -> str:
        """Begins one; the emailed code."""
        before = await self.emailed()
        begun = await self.world.call(BEGIN_ENROLMENT, BeginEnrolment(user_id=self.user_id))
        self.name = begun.enrolment
        assert begun.mail == self.world.mail("ada")
        [code] = await self.emailed() - before
        return code

    async def emailed(self) -> set[str]:
        """The codes of all emails, which come in no order when they are sent at once."""
        bodies = [mail.get_body(("plain",)) for mail in await self.world.mails_to(self.world.mail("ada"))]
        return {code for body in bodies for code in re.findall(r"^ {4}([0-9]{8})$", body.get_content(), re.MULTILINE)}

    async def enter(self, code: str, *, user_id: str = "") -> bool:
        """Whether the code is right."""
        ask = VerifyEnrolmentCode(user_id=user_id or self.user_id, enrolment=self.name, code=code)
        return bool((await self.world.call(VERIFY_ENROLMENT_CODE, ask)).right)

    async def open(self) -> Enrolling:
        """With its code entered."""
        assert await self.enter(await self.begin())
        return self

    async def app(self) -> bytes:
        """The secret of the authenticator app."""
        begun = await self.world.call(BEGIN_ENROLLED_TOTP, BeginEnrolledTotp(user_id=self.user_id, enrolment=self.name))
        assert begun.secret in begun.uri
        return base64.b32decode(begun.secret)

    async def code(self) -> str:
        """What the app shows."""
        return code_at(await self.app(), self.world.clock.now())

    async def begin_key(self, factor: Factor) -> EnrolledKeyBegun:
        """The registration of a key."""
        ask = BeginEnrolledKey(user_id=self.user_id, enrolment=self.name, factor=factor)
        begun: EnrolledKeyBegun = await self.world.call(BEGIN_ENROLLED_KEY, ask)
        return begun

    async def finish(self, code: str, factor: Factor = Factor.TOTP, **key: str) -> tuple[Factor, ...] | None:
        """The factors of the user after it; None for a wrong code or credential."""
        ask = FinishEnrolment(user_id=self.user_id, enrolment=self.name, factor=factor, code=code, **key)
        user = (await self.world.call(FINISH_ENROLMENT, ask)).user
        return tuple(user.factors) if user else None

    async def codes(self) -> tuple[str, ...]:
        """The recovery codes to show."""
        ask = GetEnrolledCodes(user_id=self.user_id, enrolment=self.name)
        return tuple((await self.world.call(GET_ENROLLED_CODES, ask)).codes)


def made(begun: EnrolledKeyBegun, origin: str = ORIGIN) -> dict[str, str]:
    """What an authenticator makes for a registration."""
    key = SoftAuthenticator(secrets.token_bytes, origin, flags=UP | UV)
    return {"registration": begun.registration, "credential": json.dumps(key.create(json.loads(begun.options)))}
