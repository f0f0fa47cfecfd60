from __future__ import annotations

import json
from typing import Any

import msgspec
from portico_contracts.users import (
    BEGIN_EXTERNAL,
    CREATE_EXTERNAL,
    FINISH_EXTERNAL,
    LINK_EXTERNAL,
    BeginExternal,
    CreateExternal,
    ExternalBegun,
    ExternalFinished,
    FinishExternal,
    LinkExternal,
    Profile,
    User,
    VerifiedIdentity,
)
from portico_oauth.jose import SigningKey

KEYS = "https://portal.example/keys"
ISSUER = "https://portal.example"
OWN_ISSUER = "http://localhost:8080"


class ExternalSignIn:
    def __init__(self, world: Any) -> None:
        self.world = world
        self.key = SigningKey.generate("k1", "ES256")
        self.idp_id = f"portal-{world.tag}"

    async def set_up(
        self, *, humans: Any = (), offered: Any = True, active: bool = True, auto: bool = False, **options: Any
    ) -> None:
        """Applies the document.

        Args:
            offered: a dictionary has further values of the login policy.
        """
        jwt = {
            "id": self.idp_id,
            "name": "portal",
            "jwtEndpoint": "https://portal.example/login?tenant=7",
            "issuer": ISSUER,
            "keysEndpoint": KEYS,
            "headerName": "X-Portal-Jwt",
            "autoRegister": auto,
            "providerOptions": options,
            "state": "active" if active else "inactive",
        }
        policy = {"idps": [self.idp_id] if offered else [], **(offered if isinstance(offered, dict) else {})}
        await self.world.home(humans=humans, jwtIdps=[jwt], loginPolicy=policy)
        self.show_keys()

    def show_keys(self, *keys: SigningKey) -> None:
        self.world.providers.show(KEYS, {"keys": [key.public_jwk() for key in keys or (self.key,)]})

    def claims(self, **changed: Any) -> dict[str, Any]:
        now = self.world.clock.now()
        full = {
            "iss": ISSUER,
            "sub": "ada-there",
            "iat": now,
            "exp": now + 300,
            "given_name": "Ada",
            "family_name": "Lovelace",
            "name": "Countess Ada",
            "email": self.world.mail("ada"),
            "email_verified": True,
            "preferred_username": f"ada-{self.world.tag}",
            "locale": "en",
            **changed,
        }
        return {name: value for name, value in full.items() if value is not None}

    def jwt(self, key: SigningKey | None = None, **changed: Any) -> str:
        return (key or self.key).sign(json.dumps(self.claims(**changed)).encode())

    async def begin(self, **members: Any) -> ExternalBegun:
        ask = {"provider_id": self.idp_id, "org_id": self.world.org_id, "redirect_uri": "https://id.example/cb"}
        ask |= {"state": "s", "nonce": "n", "auth_request": "V2_1", "user_agent": "agent", **members}
        begun: ExternalBegun = await self.world.call(BEGIN_EXTERNAL, BeginExternal(**ask))
        return begun

    async def finish(self, jwt: str, **members: Any) -> ExternalFinished:
        ask = {"provider_id": self.idp_id, "org_id": self.world.org_id, "redirect_uri": "https://id.example/cb"}
        done: ExternalFinished = await self.world.call(
            FINISH_EXTERNAL, FinishExternal(**{**ask, "nonce": "n", "jwt": jwt, **members})
        )
        return done

    async def identity(self, **changed: Any) -> VerifiedIdentity:
        return (await self.finish(self.jwt(**changed))).identity

    async def link(self, identity: VerifiedIdentity, user_id: str) -> User:
        ask = LinkExternal(identity=identity, org_id=self.world.org_id, user_id=user_id)
        return (await self.world.call(LINK_EXTERNAL, ask)).user  # type: ignore[no-any-return]

    async def create(self, identity: VerifiedIdentity, **changed: Any) -> User:
        profile: Profile = msgspec.structs.replace(identity.profile, **changed)
        ask = CreateExternal(identity=identity, org_id=self.world.org_id, profile=profile)
        return (await self.world.call(CREATE_EXTERNAL, ask)).user  # type: ignore[no-any-return]

    async def people(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = await self.world.rows("users", orgId=self.world.org_id, type="human")
        return found

    async def refusals(self) -> list[str]:
        rows = await self.world.rows("events", table="idpSignIns", orgId=self.world.org_id)
        return [row["values"]["errorId"] for row in sorted(rows, key=lambda row: float(row["at"]))]
