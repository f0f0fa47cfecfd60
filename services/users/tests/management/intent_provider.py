from __future__ import annotations

import json
from secrets import token_hex
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from portico_contracts.users import FIND_INTENT, RETURN_INTENT, FindIntent, IntentFlow, ReturnIntent
from portico_oauth.jose import SigningKey


class IntentProvider:
    """A JWT identity provider that publishes its own signing key.

    Args:
        issuer: its URL; the keys are below it.
    """

    def __init__(self, world: Any, issuer: str = "https://portal.example") -> None:
        self.world = world
        self.issuer = issuer
        self.key = SigningKey.generate("k1", "ES256")
        world.providers.show(f"{issuer}/keys", {"keys": [self.key.public_jwk()]})

    def jwt(self, **changed: Any) -> str:
        now = self.world.clock.now()
        full = {"iss": self.issuer, "sub": "7f3c1e", "iat": now, "exp": now + 300, "jti": token_hex(), **changed}
        return self.key.sign(json.dumps({name: value for name, value in full.items() if value is not None}).encode())

    async def find(self, address: str, *, replica: Any = None) -> IntentFlow:
        ask = FindIntent(state=state_in(address))
        flow: IntentFlow = await (replica or self.world).call(FIND_INTENT, ask)
        return flow

    async def bring_back(
        self,
        address: str,
        claims: dict[str, Any] | None = None,
        *,
        replica: Any = None,
        jwt: str = "",
        provider: str = "",
        parameters: dict[str, str] | None = None,
    ) -> dict[str, str]:
        """Returns the parameters of the final redirect, with its address as ``page``.

        Args:
            parameters: sent instead of a JWT.
        """
        state = state_in(address)
        flow = await self.find(address)
        if parameters is None:
            sent = ReturnIntent(
                state=state, provider_id=provider or flow.provider_id, jwt=jwt or self.jwt(**(claims or {}))
            )
        else:
            sent = ReturnIntent(state=state, provider_id=provider or flow.provider_id, parameters=parameters)
        url = (await (replica or self.world).call(RETURN_INTENT, sent)).url
        page, _, query = url.partition("?")
        return {"page": page, **dict(parse_qsl(query))}


def state_in(address: str) -> str:
    query = parse_qs(urlsplit(address).query)
    return (query.get("authRequestID") or query["state"])[0]
