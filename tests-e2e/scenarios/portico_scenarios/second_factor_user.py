"""A user with second factors: registered by the management API, signs in with a browser without scripts."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import struct
import time
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.async_api import Page
from portico_contracts.apply import Document, Email, EndUser, LoginPolicy, Organization, Password, Profile
from portico_contracts.http import LOGGED_OUT
from portico_fakes.management_api import ApiResponse, read_json
from portico_fakes.soft_authenticator import SoftAuthenticator

from portico_scenarios.agent import Agent
from portico_scenarios.agent import Page as Landing
from portico_scenarios.id_token import doubly_checked_claims
from portico_scenarios.relying_party import Begun, begin
from portico_scenarios.world import World, code_in

PASSWORD: Final = "a whistle in the dark wood"

_CREATE: Final = """async (options) => {
    const parsed = PublicKeyCredential.parseCreationOptionsFromJSON(options.publicKey);
    return (await navigator.credentials.create({publicKey: parsed})).toJSON();
}"""


@dataclass
class SecondFactorUser:
    world: World
    token: str
    id: str
    secret: bytes = field(default=b"", repr=False)
    step: int = 0

    @property
    def mail(self) -> str:
        return f"{self.id}@mail.example.test"

    async def post(self, path: str, body: Any) -> dict[str, Any]:
        url = f"{self.world.issuer}/v2/users/{self.id}/{path}"
        headers = {"Authorization": f"Bearer {self.token}"}
        response: ApiResponse = read_json(await self.world.http.post(url, json=body, headers=headers))
        assert response.code == 0, response.body
        return response.body

    async def add_totp(self) -> None:
        typed = (await self.post("totp", {}))["secret"]
        self.secret = base64.b32decode(typed + "=" * (-len(typed) % 8))
        # Each code works once, and adjacent time steps are accepted: three sign-ins without waiting.
        await self.post("totp/verify", {"code": self.next_code()})

    def next_code(self) -> str:
        """Returns the next unused code (RFC 6238 §4, computed independently of the product).

        Begins with the current time step, which is accepted for at least another 30 s.
        """
        self.step = max(self.step, int(time.time() // 30))
        digest = hmac.digest(self.secret, struct.pack(">Q", self.step), hashlib.sha1)
        offset = digest[-1] & 0xF
        self.step += 1
        return f"{(int.from_bytes(digest[offset : offset + 4], 'big') & 0x7FFFFFFF) % 10**6:06}"

    async def add_key(self, page: Page, kind: str = "u2f") -> None:
        """Registers a credential of Chromium's virtual authenticator, on a page of the issuer."""
        begun = await self.post(kind, {})
        await page.goto(f"{self.world.issuer}{LOGGED_OUT}")
        credential = await page.evaluate(_CREATE, begun["publicKeyCredentialCreationOptions"])
        id, name = ("u2fId", "tokenName") if kind == "u2f" else ("passkeyId", "passkeyName")
        await self.post(f"{kind}/{begun[id]}", {"publicKeyCredential": credential, name: "Blue key"})

    async def add_soft_key(self) -> SoftAuthenticator:
        """Registers a software authenticator, for invalid responses."""
        key = SoftAuthenticator(secrets.token_bytes, self.world.issuer)
        begun = await self.post("u2f", {})
        credential = key.create(begun["publicKeyCredentialCreationOptions"])
        await self.post(f"u2f/{begun['u2fId']}", {"publicKeyCredential": credential, "tokenName": "Soft key"})
        return key

    async def begin(self, agent: Agent, **changes: str) -> tuple[Begun, Landing]:
        """Submits login name and password in a browser without scripts."""
        begun = begin(self.world.metadata, self.world.clients["basic"], **changes)
        return begun, await agent.sign_in(begun.url, self.id, PASSWORD)

    async def claims_after(self, begun: Begun, landing: Landing) -> dict[str, Any]:
        """Returns the claims of the id_token, verified with PyJWT and joserfc."""
        answer = await self.world.redeem("basic", code_in(landing), code_verifier=begun.verifier)
        client_id = self.world.clients["basic"].client_id
        world = self.world
        claims = await doubly_checked_claims(world.http, world.metadata, answer.json()["id_token"], client_id)
        assert claims["sub"] == self.id
        return claims


async def second_factor_user(
    world: World, name: str, token: str = "", policy: LoginPolicy | None = None
) -> SecondFactorUser:
    """Creates a user with a password in a new organization.

    Args:
        token: of an administrator who may register factors for any user.
    """
    id = f"{name}-{secrets.token_hex(4)}"
    human = EndUser(
        id=id,
        username=id,
        profile=Profile(first_name=name.capitalize(), last_name="Example"),
        email=Email(email=f"{id}@mail.example.test", is_verified=True),
        password=Password(password=PASSWORD),
    )
    organization = Organization(id=f"org-{id}", name=id, humans=(human,), login_policy=policy)
    await world.stack.apply(Document(organizations=(organization,)))
    return SecondFactorUser(world, token, id)
