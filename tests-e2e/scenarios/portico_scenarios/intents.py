"""Login pages of a service user with identity provider intents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

import httpx
from portico_contracts.apply import Document
from portico_fakes.management_api import ApiResponse

from portico_scenarios.administrator import Administrator, administrator_of
from portico_scenarios.agent import redirect_from
from portico_scenarios.world import World

SUCCESS: Final = "https://pages.example/success"
FAILURE: Final = "https://pages.example/failure"
_START: Final = "portico.user.v2.UserService.StartIdentityProviderIntent"
_RETRIEVE: Final = "portico.user.v2.UserService.RetrieveIdentityProviderIntent"


@dataclass(frozen=True, slots=True)
class LoginPages:
    caller: Administrator

    async def start(self, idp_id: str) -> ApiResponse:
        urls = {"successUrl": SUCCESS, "failureUrl": FAILURE}
        return await self.caller.json(_START, {"idpId": idp_id, "urls": urls})

    async def retrieve(self, back: dict[str, str]) -> ApiResponse:
        path = f"/v2/idp_intents/{back['id']}"
        return await self.caller.json(_RETRIEVE, {"idpIntentToken": back["token"]}, path=path)


async def pages_of(world: World) -> LoginPages:
    await world.stack.apply(Document(intent_urls=(SUCCESS, FAILURE)))
    return LoginPages(await administrator_of(world, "IAM_LOGIN_CLIENT"))


def page_opened(answer: httpx.Response) -> tuple[str, dict[str, str]]:
    page, _, query = redirect_from(answer).partition("?")
    return page, dict(parse_qsl(query))
