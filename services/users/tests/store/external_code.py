from __future__ import annotations

import hashlib
from typing import Any

from portico_contracts.users import (
    BEGIN_EXTERNAL,
    FINISH_EXTERNAL,
    BeginExternal,
    ExternalBegun,
    ExternalFinished,
    FinishExternal,
)
from portico_oauth.opaque import b64url

VERIFIER = "v" * 43
CALLBACK = "https://id.example/ui/login/idps/house/callback"


class CodeSignIn:
    def __init__(self, world: Any, name: str) -> None:
        self.world = world
        self.idp_id = f"{name}-{world.tag}"

    async def begin(self, **members: Any) -> ExternalBegun:
        challenge = b64url(hashlib.sha256(VERIFIER.encode()).digest())
        ask = {"provider_id": self.idp_id, "org_id": self.world.org_id, "redirect_uri": CALLBACK}
        ask |= {"state": "the-state", "nonce": "the-nonce", "code_challenge": challenge, **members}
        begun: ExternalBegun = await self.world.call(BEGIN_EXTERNAL, BeginExternal(**ask))
        return begun

    async def finish(self, parameters: dict[str, str], **members: Any) -> ExternalFinished:
        ask = {"provider_id": self.idp_id, "org_id": self.world.org_id, "redirect_uri": CALLBACK}
        ask |= {"nonce": "the-nonce", "code_verifier": VERIFIER, "parameters": parameters, **members}
        done: ExternalFinished = await self.world.call(FINISH_EXTERNAL, FinishExternal(**ask))
        return done

    async def refusals(self) -> list[str]:
        rows = await self.world.rows("events", table="idpSignIns", orgId=self.world.org_id)
        return [row["values"]["errorId"] for row in rows]
