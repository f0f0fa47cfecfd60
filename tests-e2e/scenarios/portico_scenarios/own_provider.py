"""A stack as its own OpenID provider: users sign in with their accounts there, in another browser."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from portico_contracts.apply import Document, LoginPolicy, OidcApp, OidcIdp, Organization, Project
from portico_contracts.http import EXTERNAL_CALLBACK

from portico_scenarios import relying_party
from portico_scenarios.agent import Agent, Page
from portico_scenarios.federated import Federated, offered
from portico_scenarios.participants import KnownUser
from portico_scenarios.relying_party import Begun
from portico_scenarios.upstream_page import address_of
from portico_scenarios.world import World, http_client

PROVIDER: Final = "e2e-upstream"
SILENT: Final = "e2e-silent"
"""A provider that accepts connections but sends no response."""

BUTTON: Final = "provider-1"
SILENT_BUTTON: Final = "provider-2"
_CLIENT_ID: Final = "e2e-downstream"
_SECRET: Final = "the secret of one stack at the other one"


@dataclass(frozen=True, slots=True)
class OwnProvider:
    """The stack, registered as a provider and as an application at itself.

    Attributes:
        silent: the listener of the silent provider.
    """

    world: World
    silent: socket.socket

    @property
    def callback(self) -> str:
        return self.world.issuer + EXTERNAL_CALLBACK.format(id=PROVIDER)

    def provider_agent(self) -> Agent:
        """A browser at the provider, which stops at the callback."""
        return Agent(self.world.issuer, http_client(self.world.issuer, self.world.ca_file), self.callback)

    async def offer(self) -> None:
        app = OidcApp(name="Downstream", client_id=_CLIENT_ID, client_secret=_SECRET, redirect_uris=(self.callback,))
        project = Project(name="Downstream", oidc_apps=(app,))
        provider = OidcIdp(
            id=PROVIDER,
            name="Upstream",
            issuer=self.world.issuer,
            client_id=_CLIENT_ID,
            client_secret=_SECRET,
        )
        silent = OidcIdp(
            id=SILENT,
            name="Silent",
            issuer=address_of(self.silent),
            client_id="silent",
            client_secret=_SECRET,
        )
        await self.world.stack.apply(
            Document(
                organizations=(Organization(name="Downstream", projects=(project,)),),
                oidc_idps=(provider, silent),
                login_policy=LoginPolicy(idps=(PROVIDER, SILENT)),
                default_organization="e2e-org",
            )
        )

    def begin(self) -> Begun:
        return relying_party.begin(self.world.metadata, self.world.clients["basic"], scope="openid profile email")

    async def leave(self, agent: Agent, begun: Begun) -> str:
        """Presses the button; returns the URL at the provider."""
        await agent.open(begun.url)
        address: str = (await agent.press(BUTTON)).document.links["leave"]
        return address

    async def sign_in(self, agent: Agent, elsewhere: Agent, begun: Begun, person: KnownUser) -> Page:
        """Signs in through the provider.

        Args:
            elsewhere: the browser with the session at the provider.
        """
        away = await elsewhere.sign_in(await self.leave(agent, begun), person.login_name, person.password)
        return await agent.open(away.location)


@asynccontextmanager
async def running(federated: Federated) -> AsyncIterator[OwnProvider]:
    stage = OwnProvider(federated.world, federated.listeners["silent"])
    await stage.offer()
    await offered(stage.world, PROVIDER, SILENT)
    yield stage
