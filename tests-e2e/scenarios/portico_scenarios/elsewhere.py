"""External identity providers: a JWT provider behind a proxy, and a third-party OpenID provider."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from portico_contracts.apply import Document, JwtIdp, LoginPolicy, OidcIdp, ProviderOptions
from portico_contracts.apply.vocabulary import AutoLinkingOption
from portico_contracts.http import EXTERNAL_CALLBACK

from portico_scenarios import independent_provider, jwt_proxy, relying_party
from portico_scenarios.agent import Agent, Page
from portico_scenarios.federated import Federated, offered
from portico_scenarios.independent_provider import IndependentProvider
from portico_scenarios.jwt_proxy import JwtProxy
from portico_scenarios.relying_party import Begun
from portico_scenarios.world import World

PORTAL: Final = "e2e-portal"

OPENID: Final = "e2e-openid"

BUTTONS: Final = {PORTAL: "provider-1", OPENID: "provider-2"}
"""Ids of the buttons, in the order of the login policy."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    world: World
    portal: JwtProxy
    openid: IndependentProvider

    async def offer(self, **options: Any) -> None:
        """Registers both at the instance.

        Args:
            options: non-default `ProviderOptions`.
        """
        rules = ProviderOptions(**options)
        portal = JwtIdp(
            id=PORTAL,
            name="Portal",
            jwt_endpoint=self.portal.endpoint,
            issuer=self.portal.address,
            keys_endpoint=self.portal.keys_endpoint,
            provider_options=rules,
        )
        openid = OidcIdp(
            id=OPENID,
            name="Elsewhere",
            issuer=self.openid.issuer,
            client_id=independent_provider.CLIENT_ID,
            client_secret=independent_provider.CLIENT_SECRET,
            scopes=("openid", "profile", "email"),
            provider_options=rules,
        )
        await self.world.stack.apply(
            Document(
                jwt_idps=(portal,),
                oidc_idps=(openid,),
                login_policy=LoginPolicy(idps=(PORTAL, OPENID)),
                default_organization="e2e-org",
            )
        )

    async def offer_by_user_name(self) -> None:
        """Like `offer`, with account linking by user name."""
        await self.offer(auto_linking=AutoLinkingOption.USERNAME)

    def begin(self, **changes: str) -> Begun:
        client = self.world.clients["basic"]
        return relying_party.begin(self.world.metadata, client, scope="openid profile email", **changes)

    async def way_back(self, agent: Agent, begun: Begun, provider_id: str, login: str) -> str:
        """Signs in at the provider; returns the redirect URL without opening it."""
        await agent.open(begun.url)
        page = await agent.press(BUTTONS[provider_id])
        address = page.document.links["leave"]
        if provider_id == PORTAL:
            return (await self.portal.person.sign_in(address, login)).url
        return await self.openid.sign_in(address, login)

    async def sign_in(self, agent: Agent, begun: Begun, provider_id: str, login: str) -> Page:
        return await agent.open(await self.way_back(agent, begun, provider_id, login))


@asynccontextmanager
async def running(federated: Federated, log: Path) -> AsyncIterator[Elsewhere]:
    """Runs both providers next to the stack.

    Args:
        log: a folder for the log of the OpenID provider.
    """
    world = federated.world
    callback = world.issuer + EXTERNAL_CALLBACK.format(id=OPENID)
    async with (
        jwt_proxy.running(federated.listeners["portal"], world.issuer, world.http) as portal,
        independent_provider.running(log, federated.openid_port, callback) as openid,
    ):
        elsewhere = Elsewhere(world, portal, openid)
        await elsewhere.offer()
        await offered(world, PORTAL, OPENID)
        yield elsewhere
