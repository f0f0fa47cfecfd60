from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace
from portico_contracts.users import (
    BEGIN_ASSERTION,
    FINISH_ASSERTION,
    SEND_FACTOR_EMAIL,
    SEND_FACTOR_TEXT,
    VERIFY_FACTOR_EMAIL,
    VERIFY_FACTOR_TEXT,
    VERIFY_RECOVERY_CODE,
    VERIFY_TOTP,
    AssertionBegun,
    AssertionFinished,
    BeginAssertion,
    Factor,
    FactorEmailSent,
    FactorTextSent,
    FactorVerified,
    FinishAssertion,
    SendFactorEmail,
    SendFactorText,
    User,
    VerifyFactorEmail,
    VerifyFactorText,
    VerifyRecoveryCode,
    VerifyTotp,
)
from portico_oauth.errors import ErrorCode, Kind

from portico_fakes.memory_bus import MemoryBus

KEY_OF: Final = {"u-ada": "the key of Ada", "u-bob": "the key of Bob"}
"""The content of a valid assertion of a user's authenticator, after the challenge."""

NO_MAIL_FACTOR = ErrorCode("TEST-014", Kind.FAILED_PRECONDITION, "No sign-in code can be sent to this user by email.")
NO_TEXT_LEFT = ErrorCode("TEST-015", Kind.TOO_MANY_REQUESTS, "The limit of text messages is reached.")
_KEYS: Final = {Factor.U2F, Factor.PASSKEY}


def signed(step_options: str, key: str) -> str:
    """Returns a browser's response to the challenge of a page."""
    return json.dumps({"challenge": json.loads(step_options)["publicKey"]["challenge"], "key": key})


class FakeFactors:
    """A user's factors are in `User.factors`; every challenge and every code works once.

    Attributes:
        codes: valid codes of authenticator apps and recovery codes, by user id.
        mailed: codes requested by email.
        mail_works: emails can be sent.
        texted: codes requested by text message.
        texts_left: text messages can be sent.
        texts_delayed: the sender of text messages fails.
        user_verified: authenticators verify the user.
        device_bound: user ids whose keys cannot be copied.
        reusable: codes stay valid after use.
        attempts: number of attempts.
    """

    def __init__(
        self, bus: MemoryBus, people: dict[str, User], proved: list[str], refuse_haste: Callable[[], None]
    ) -> None:
        self._people = people
        self._proved = proved
        self._refuse_haste = refuse_haste
        self.codes: dict[str, set[str]] = {user_id: {"111111", "222222", "AAAA-BBBB"} for user_id in KEY_OF}
        self.mailed: list[SendFactorEmail] = []
        self.mail_works = True
        self.texted: list[SendFactorText] = []
        self.texts_left = True
        self.texts_delayed = False
        self.user_verified = True
        self.device_bound: set[str] = set()
        self.reusable = False
        self.attempts = 0
        self.begun: dict[str, BeginAssertion] = {}
        self.letters: dict[str, str] = {}
        bus.respond(BEGIN_ASSERTION, self._begin)
        bus.respond(FINISH_ASSERTION, self._finish)
        bus.respond(VERIFY_TOTP, self._totp)
        bus.respond(VERIFY_RECOVERY_CODE, self._recovery_code)
        bus.respond(SEND_FACTOR_EMAIL, self._send)
        bus.respond(VERIFY_FACTOR_EMAIL, self._mail_code)
        bus.respond(SEND_FACTOR_TEXT, self._send_text)
        bus.respond(VERIFY_FACTOR_TEXT, self._text_code)

    def give(self, user_id: str, *factors: Factor) -> None:
        """Replaces a user's factors."""
        self._people[user_id] = replace(self._people[user_id], factors=factors)

    async def _begin(self, ask: BeginAssertion) -> AssertionBegun:
        has = set(self._people[ask.user_id].factors) if ask.user_id in self._people else set()
        if ask.user_id and not has & ({Factor.PASSKEY} if ask.passkey else set(ask.kinds)):
            return AssertionBegun()
        name = f"assertion-{len(self.begun)}"
        self.begun[name] = ask
        options: dict[str, Any] = {"publicKey": {"challenge": f"challenge-of-{name}"}}
        return AssertionBegun(assertion=name, options=json.dumps(options))

    async def _finish(self, ask: FinishAssertion) -> AssertionFinished:
        begun = self.begun.get(ask.assertion)
        if begun is None or begun.user_id != ask.user_id:
            return AssertionFinished()
        self.begun[ask.assertion] = replace(begun, user_id="used up")
        self._count()
        answer = json.loads(ask.credential)
        if answer["challenge"] != f"challenge-of-{ask.assertion}":
            return AssertionFinished()
        owner = next((id for id, key in KEY_OF.items() if key == answer["key"]), "")
        if owner not in self._people or ask.user_id not in ("", owner):
            return AssertionFinished()
        plain = ask.user_id and Factor.U2F in self._people[owner].factors
        kind = Factor.U2F if plain else Factor.PASSKEY
        return AssertionFinished(
            user=self._right(owner),
            user_verified=self.user_verified,
            kind=kind,
            device_bound=owner in self.device_bound,
        )

    async def _totp(self, ask: VerifyTotp) -> FactorVerified:
        return self._code(ask.user_id, ask.code, Factor.TOTP)

    async def _recovery_code(self, ask: VerifyRecoveryCode) -> FactorVerified:
        return self._code(ask.user_id, ask.code, Factor.RECOVERY_CODE)

    async def _send(self, ask: SendFactorEmail) -> FactorEmailSent:
        self.mailed.append(ask)
        self._refuse_haste()
        if not self.mail_works or Factor.OTP_EMAIL not in self._people[ask.user_id].factors:
            raise NO_MAIL_FACTOR.error()
        name = f"letter-{len(self.letters)}"
        self.letters[name] = f"{12345678 + len(self.letters)}"
        return FactorEmailSent(challenge=name, mail="ada@mail.test")

    async def _send_text(self, ask: SendFactorText) -> FactorTextSent:
        self.texted.append(ask)
        self._refuse_haste()
        if not self.texts_left or Factor.OTP_SMS not in self._people[ask.user_id].factors:
            raise NO_TEXT_LEFT.error()
        name = f"letter-{len(self.letters)}"
        self.letters[name] = f"{12345678 + len(self.letters)}"
        return FactorTextSent(challenge=name, phone="+41791234567", delayed=self.texts_delayed)

    async def _text_code(self, ask: VerifyFactorText) -> FactorVerified:
        return await self._mail_code(VerifyFactorEmail(user_id=ask.user_id, challenge=ask.challenge, code=ask.code))

    async def _mail_code(self, ask: VerifyFactorEmail) -> FactorVerified:
        self._count()
        if self.letters.get(ask.challenge) != ask.code:
            return FactorVerified()
        self.letters[ask.challenge] = "used up"
        return FactorVerified(user=self._right(ask.user_id))

    def _code(self, user_id: str, code: str, factor: Factor) -> FactorVerified:
        self._count()
        if factor not in self._people[user_id].factors or code not in self.codes[user_id]:
            return FactorVerified()
        if not self.reusable:
            self.codes[user_id].discard(code)
        return FactorVerified(user=self._right(user_id))

    def _count(self) -> None:
        self.attempts += 1
        self._refuse_haste()

    def _right(self, user_id: str) -> User:
        self._proved.append(f"{user_id} again")
        return self._people[user_id]
