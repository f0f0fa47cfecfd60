from __future__ import annotations

import base64
import re
from typing import Any, Final

from portico_contracts.http import RECOVERY_PAGE
from portico_contracts.users import (
    BEGIN_RECOVERY,
    SET_PASSWORD_BY_CODE,
    BeginRecovery,
    RecoveryBegun,
    SetPasswordByCode,
)
from portico_users.credentials.totp.time_codes import code_at

from .account_owner import NEW, OLD, Owner

THIRD: Final = "seven quiet herons"


class Robbed(Owner):
    """The owner of an account whose credentials an attacker changes with one of its tokens."""

    async def codes(self, mail: str = "", *, about: str = "") -> list[str]:
        texts = [text for text in await self.notices(mail) if about in text]
        return [code for text in texts for code in re.findall(rf"{RECOVERY_PAGE}\?code=([^&\s]+)", text)]

    async def begin(self, code: str) -> RecoveryBegun:
        begun: RecoveryBegun = await self.world.call(BEGIN_RECOVERY, BeginRecovery(code=code, languages=("en",)))
        return begun

    async def sent_code(self, mail: str = "") -> str:
        """Returns the code in the last email that has one: notices of the same time have no order."""
        texts = [one.get_body(("plain",)).get_content() for one in await self.world.mails_to(mail or self.mail)]
        found = [code for text in texts for code in re.findall(r"^    ([A-Z2-9]{6})$", text, re.MULTILINE)]
        return str(found[-1])

    async def enter(self, begun: RecoveryBegun, code: str, password: str = THIRD) -> None:
        message = SetPasswordByCode(challenge=begun.challenge, code=code, new_password=password)
        await self.world.call(SET_PASSWORD_BY_CODE, message)

    async def recover(self, link: str) -> None:
        await self.enter(await self.begin(link), await self.sent_code())

    async def change_password(self) -> None:
        await self.call("SetPassword", "/password", newPassword={"password": NEW}, currentPassword=OLD)
        self.managed.api.ended.clear()

    async def take(self) -> None:
        await self.set_mail()
        code = await self.world.newest_code(self.new_mail)
        await self.call("VerifyEmail", "/email/verify", verificationCode=code)

    async def link_identity(self, name: str) -> None:
        link = {"idpId": await self.add_provider(name), "userId": name, "userName": name}
        await self.call("AddIDPLink", "/links", by="owner", idpLink=link)

    async def address(self) -> tuple[str, bool]:
        email = (await self.managed.get(self.id)).body["user"]["human"]["email"]
        return email["email"], email.get("isVerified", False)

    async def opens(self, password: str) -> bool:
        return (await self.world.try_password(self.id, password)).user is not None

    async def add_totp(self) -> None:
        secret = base64.b32decode((await self.call("RegisterTOTP", "/totp")).body["secret"])
        await self.call("VerifyTOTPRegistration", "/totp/verify", code=code_at(secret, self.world.clock.now()))

    async def row(self) -> dict[str, Any]:
        [user] = await self.world.rows("users", _id=self.id)
        return dict(user)

    def sign_in(self, *, again: bool = False) -> None:
        """The token is from a session that begins now; ``again``: only the authentication is new."""
        api, token, now = self.managed.api, self.managed.tokens["lee"], int(self.world.clock.now())
        api.signed_in[token] = ("app", now)
        if not again:
            api.began[token] = now
