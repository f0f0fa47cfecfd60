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
    def __init__(self, sign_in: Any) -> None:
        self.sign_in = sign_in
        self.world = sign_in.world
        self.user_id: str = sign_in.user_id
        self.name = ""

    async def begin(self) -> str:
        before = await self.emailed()
        begun = await self.world.call(BEGIN_ENROLMENT, BeginEnrolment(user_id=self.user_id))
        self.name = begun.enrolment
        assert begun.mail == self.world.mail("ada")
        [code] = await self.emailed() - before
        return code

    async def emailed(self) -> set[str]:
        """Returns the codes of all emails; concurrent ones arrive in any order."""
        bodies = [mail.get_body(("plain",)) for mail in await self.world.mails_to(self.world.mail("ada"))]
        return {code for body in bodies for code in re.findall(r"^ {4}([0-9]{8})$", body.get_content(), re.MULTILINE)}

    async def enter(self, code: str, *, user_id: str = "") -> bool:
        ask = VerifyEnrolmentCode(user_id=user_id or self.user_id, enrolment=self.name, code=code)
        return bool((await self.world.call(VERIFY_ENROLMENT_CODE, ask)).right)

    async def open(self) -> Enrolling:
        assert await self.enter(await self.begin())
        return self

    async def app(self) -> bytes:
        begun = await self.world.call(BEGIN_ENROLLED_TOTP, BeginEnrolledTotp(user_id=self.user_id, enrolment=self.name))
        assert begun.secret in begun.uri
        return base64.b32decode(begun.secret)

    async def code(self) -> str:
        return code_at(await self.app(), self.world.clock.now())

    async def begin_key(self, factor: Factor) -> EnrolledKeyBegun:
        ask = BeginEnrolledKey(user_id=self.user_id, enrolment=self.name, factor=factor)
        begun: EnrolledKeyBegun = await self.world.call(BEGIN_ENROLLED_KEY, ask)
        return begun

    async def finish(self, code: str, factor: Factor = Factor.TOTP, **key: str) -> tuple[Factor, ...] | None:
        """Returns the user's factors; None for a wrong code or credential."""
        ask = FinishEnrolment(user_id=self.user_id, enrolment=self.name, factor=factor, code=code, **key)
        user = (await self.world.call(FINISH_ENROLMENT, ask)).user
        return tuple(user.factors) if user else None

    async def codes(self) -> tuple[str, ...]:
        ask = GetEnrolledCodes(user_id=self.user_id, enrolment=self.name)
        return tuple((await self.world.call(GET_ENROLLED_CODES, ask)).codes)


def made(begun: EnrolledKeyBegun, origin: str = ORIGIN) -> dict[str, str]:
    key = SoftAuthenticator(secrets.token_bytes, origin, flags=UP | UV)
    return {"registration": begun.registration, "credential": json.dumps(key.create(json.loads(begun.options)))}
