from __future__ import annotations

from collections.abc import Callable

from portico_contracts.users import FIND_USER, FindUser, PasswordVerified, User
from portico_contracts.users.email_codes import (
    SEND_SIGN_IN_CODE,
    VERIFY_SIGN_IN_CODE,
    SendSignInCode,
    SignInCodeSent,
    VerifySignInCode,
)

from portico_fakes.memory_bus import MemoryBus


class FakeEmailCodes:
    """Every known user receives codes; each works once.

    Attributes:
        asked: the requests.
        codes: user id and code by challenge; those of unknown names have neither.
        always: the code of every email, instead of different ones.
    """

    def __init__(
        self, bus: MemoryBus, people: dict[str, User], proved: list[str], refuse_haste: Callable[[], None]
    ) -> None:
        self._bus = bus
        self._people = people
        self._proved = proved
        self._refuse_haste = refuse_haste
        self.asked: list[SendSignInCode] = []
        self.always = ""
        self.codes: dict[str, tuple[str, str]] = {}
        bus.respond(SEND_SIGN_IN_CODE, self._send)
        bus.respond(VERIFY_SIGN_IN_CODE, self._verify)

    @property
    def newest(self) -> str:
        return next(reversed(self.codes.values()))[1]

    async def _send(self, ask: SendSignInCode) -> SignInCodeSent:
        self.asked.append(ask)
        self._refuse_haste()
        self.codes.pop(ask.earlier, None)
        name = f"sign-in-code-{len(self.asked)}"
        user = (await self._bus.call(FIND_USER, FindUser(login_name=ask.login_name, org_id=ask.org_id))).user
        self.codes[name] = (user.user_id, self.always or f"{23456780 + len(self.asked)}") if user else ("", "")
        return SignInCodeSent(challenge=name)

    async def _verify(self, ask: VerifySignInCode) -> PasswordVerified:
        self._refuse_haste()
        user_id, code = self.codes.get(ask.challenge, ("", ""))
        if not code or ask.code != code:
            return PasswordVerified(attempted=user_id)
        del self.codes[ask.challenge]
        self._proved.append(user_id)
        return PasswordVerified(user=self._people[user_id])
