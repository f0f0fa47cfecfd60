"""Two stacks: users of one sign in with their accounts at the other, which is an OpenID provider like any."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from portico_contracts.apply import Document, LoginPolicy, OidcApp, OidcIdp, Organization, Project
from portico_contracts.http import EXTERNAL_CALLBACK
from portico_stack.layout import StackOptions
from portico_stack.ports import free_port

from portico_journeys import relying_party
from portico_journeys.agent import Agent, Page
from portico_journeys.participants import Person
from portico_journeys.relying_party import Begun
from portico_journeys.world import World, started

PROVIDER: Final = "e2e-upstream"
SILENT: Final = "e2e-silent"
"""A provider that accepts connections, and answers nothing."""

BUTTON: Final = "provider-1"
SILENT_BUTTON: Final = "provider-2"
_CLIENT_ID: Final = "e2e-downstream"
_SECRET: Final = "the secret of one stack at the other one"


@dataclass(frozen=True, slots=True)
class TwoStacks:
    """The stack that users sign in to, and the one that has their accounts.

    Attributes:
        world: the first.
        upstream: the second, registered at the instance of the first.
        silent_port: of the loopback address, where the first stack may ask, too.
    """

    world: World
    upstream: World
    silent_port: int

    async def offer(self) -> None:
        """Registers the second stack at the first, and the first as an application at the second; and a silent provider."""
        callback = self.world.issuer + EXTERNAL_CALLBACK.format(id=PROVIDER)
        app = OidcApp(name="Downstream", client_id=_CLIENT_ID, client_secret=_SECRET, redirect_uris=(callback,))
        project = Project(name="Downstream", oidc_apps=(app,))
        await self.upstream.stack.apply(Document(organizations=(Organization(name="Downstream", projects=(project,)),)))
        provider = OidcIdp(
            id=PROVIDER,
            name="Upstream",
            issuer=self.upstream.issuer,
            client_id=_CLIENT_ID,
            client_secret=_SECRET,
        )
        silent = OidcIdp(
            id=SILENT,
            name="Silent",
            issuer=f"http://127.0.0.1:{self.silent_port}",
            client_id="silent",
            client_secret=_SECRET,
        )
        policy = LoginPolicy(idps=(PROVIDER, SILENT))
        await self.world.stack.apply(
            Document(oidc_idps=(provider, silent), login_policy=policy, default_organization="e2e-org")
        )

    def begin(self) -> Begun:
        """An authorization request at the first stack."""
        return relying_party.begin(self.world.metadata, self.world.clients["basic"], scope="openid profile email")

    async def leave(self, agent: Agent, begun: Begun) -> str:
        """Presses the button; the address at the second stack."""
        await agent.open(begun.url)
        address: str = (await agent.press(BUTTON)).document.links["leave"]
        return address

    async def sign_in(self, agent: Agent, elsewhere: Agent, begun: Begun, person: Person) -> Page:
        """The whole way there and back.

        Args:
            elsewhere: the same browser, at the second stack.
        """
        away = await elsewhere.sign_in(await self.leave(agent, begun), person.login_name, person.password)
        return await agent.open(away.location)


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[TwoStacks]:
    """Both stacks, with one process of each service."""
    async with started(StackOptions(folder / "upstream", port=0)) as upstream:
        silent_port = free_port()
        allowed = {"PORTICO_OUTBOUND_ALLOW": f"{urlsplit(upstream.issuer).netloc},127.0.0.1:{silent_port}"}
        options = StackOptions(folder / "downstream", port=0, extra_env={"users": allowed})
        async with started(options) as world:
            yield TwoStacks(world, upstream, silent_port)
