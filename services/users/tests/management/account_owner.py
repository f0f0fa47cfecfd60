from __future__ import annotations

import secrets
from typing import Any, Final

from portico_fakes.management_api import ApiResponse, call_as
from portico_fakes.soft_authenticator import UP, UV, SoftAuthenticator

_V2: Final = "portico.user.v2.UserService"
_V1: Final = "portico.management.v1.UserService"
OLD, NEW = "correct horse battery", "nine small sparrows"


class Owner:
    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.world = managed.users
        self.id = f"lee-{managed.tag}"
        self.mail = managed.users.mail("lee")
        self.new_mail = managed.users.mail("thief")
        self.before = 0

    async def add(self, *, verified: bool = True, **members: Any) -> None:
        email = {"email": self.mail, "isVerified": True} if verified else {"email": self.mail, "returnCode": {}}
        body = self.managed.new_human(
            "lee", username=self.id, email=email, **{"password": {"password": OLD}, **members}
        )
        response = await self.managed.add(body)
        assert response.code == 0, response.body
        self.managed.tokens["lee"] = self.managed.api.token_of(self.id)

    async def call(
        self, name: str, path: str = "", *, by: str = "lee", older: bool = False, **body: Any
    ) -> ApiResponse:
        response = await self.try_to(name, path, by=by, older=older, **body)
        assert response.code == 0, response.body
        return response

    async def try_to(
        self, name: str, path: str = "", *, by: str = "lee", older: bool = False, **body: Any
    ) -> ApiResponse:
        place = f"/management/v1/users/{self.id}" if older else f"/v2/users/{self.id}"
        if name == "UpdateHumanUser":
            place = f"/v2/users/human/{self.id}"
        return await call_as(self.managed, f"{_V1 if older else _V2}.{name}", body, by=by, path=place + path)

    async def set_mail(self, mail: str = "", *, by: str = "lee", **choice: Any) -> None:
        await self.call("SetEmail", "/email", by=by, email=mail or self.new_mail, **choice)

    async def notices(self, mail: str = "") -> list[str]:
        mails = await self.world.mails_to(mail or self.mail)
        told = [one for one in mails if str(one["Subject"]).startswith("Your account at ")]
        return [one.get_body(("plain",)).get_content() for one in told]

    async def changes(self, mail: str = "") -> list[list[str]]:
        return [[line[2:] for line in text.split("\n") if line.startswith("- ")] for text in await self.notices(mail)]

    async def code(self) -> str:
        code: str = (await self.call("PasswordReset", "/password_reset", by="owner", returnCode={})).body[
            "verificationCode"
        ]
        return code

    async def register_key(self, *, passkey: bool, name: str = "a key") -> str:
        kind, word = ("passkeys", "Passkey") if passkey else ("u2f", "U2F")
        begun = await self.call(f"Register{word}", f"/{kind}")
        id = str(begun.body["passkeyId" if passkey else "u2fId"])
        key = SoftAuthenticator(secrets.token_bytes, "http://localhost:8080", flags=UP | UV if passkey else UP)
        made = key.create(begun.body["publicKeyCredentialCreationOptions"])
        named: dict[str, Any] = {"passkeyName" if passkey else "tokenName": name}
        await self.call(f"Verify{word}Registration", f"/{kind}/{id}", publicKeyCredential=made, **named)
        return id

    async def add_provider(self, name: str) -> str:
        config = {"jwtEndpoint": "https://a.example", "issuer": "a", "keysEndpoint": "https://a.example"}
        body = {"name": f"{name} {self.managed.tag}", **config}
        return str((await call_as(self.managed, "portico.management.v1.IDPService.AddOrgJWTIDP", body)).body["idpId"])
