from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import ExternalFinished
from portico_fakes.faulty_provider import CLIENT_ID, CLIENT_SECRET, ISSUER, FaultyProvider
from portico_oauth.errors import ServiceError
from portico_runtime.http_client.outbound import OutboundResponse

from .external_code import CodeSignIn


class PresetHouse(CodeSignIn):
    """An organization with a provider of a preset, which responds as documented by the vendor."""

    def __init__(self, world: Any, issuer: str = ISSUER) -> None:
        super().__init__(world, "house")
        self.provider = FaultyProvider(world.clock, issuer)

    async def set_up(self, preset: str, **members: Any) -> None:
        oidc = {
            "id": self.idp_id,
            "name": "house",
            "preset": preset,
            "issuer": self.provider.issuer,
            "clientId": CLIENT_ID,
            "clientSecret": CLIENT_SECRET,
            **members,
        }
        await self.world.home(oidcIdps=[oidc], loginPolicy={"idps": [self.idp_id]})
        answers = self.world.providers.answers
        urls = [
            f"{ISSUER}/keys",
            f"{ISSUER}/userinfo",
            f"{self.provider.issuer.rstrip('/')}/.well-known/openid-configuration",
        ]
        for url in urls:
            answers[url] = self._get(url)
        answers[f"{ISSUER}/token"] = self._exchange

    def _get(self, url: str) -> Any:
        async def answer(_fields: dict[str, str], headers: dict[str, str]) -> OutboundResponse:
            return await self.provider.get(url, headers)

        return answer

    async def _exchange(self, fields: dict[str, str], headers: dict[str, str]) -> OutboundResponse:
        return await self.provider.exchange(f"{ISSUER}/token", fields, headers)

    async def sign_in(self, **parameters: str) -> ExternalFinished:
        callback = self.provider.follow((await self.begin()).url)
        return await self.finish({**callback, **parameters})

    async def refusal(self, **parameters: str) -> str:
        with pytest.raises(ServiceError) as refused:
            await self.sign_in(**parameters)
        return str(refused.value.id)
