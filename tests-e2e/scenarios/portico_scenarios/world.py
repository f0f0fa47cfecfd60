"""One stack with registered participants: relying parties listen, and discovery is loaded."""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
from portico_contracts.http import DISCOVERY
from portico_demo_rp.app import create_app
from portico_demo_rp.settings import DemoRpSettings
from portico_harness.eventually import HANGS
from portico_harness.named_transport import transport_to
from portico_stack.assembly.layout import Profile, StackOptions
from portico_stack.assembly.stack import Stack
from portico_stack.machine.ports import free_port
from pydantic import SecretStr

from portico_scenarios import browser_rp, relying_party
from portico_scenarios.agent import Agent, Page
from portico_scenarios.dead_part import WITHOUT, end_for_good
from portico_scenarios.participants import APPS, KnownUser, document, home
from portico_scenarios.relying_party import Begun, Client
from portico_scenarios.serving import serving

Environment = Mapping[str, Mapping[str, str]]
"""Environment by service."""

_CHEAP_HASHES: Final = {"PORTICO_ARGON2_MEMORY_KIB": "8", "PORTICO_ARGON2_PASSES": "1"}
"""At full cost a hash takes as long as all other work for a sign-in."""

Listeners = Mapping[str, socket.socket]
"""By the names of `participants.APPS`."""

_NAMED = os.environ.get("PORTICO_TEST_PROFILE")
PROFILE = Profile(_NAMED) if _NAMED else None
"""Overrides the servers of every stack of a run; None for no override."""


def of_this_run(options: StackOptions) -> StackOptions:
    return replace(options, profile=PROFILE or options.profile)


@dataclass(frozen=True, slots=True)
class World:
    """A running stack.

    Args:
        metadata: the discovery document as the gateway serves it.
        clients: registered clients by the names of `participants.APPS`.
        http: a client without any user's cookies.
    """

    stack: Stack
    issuer: str
    ca_file: Path | None
    metadata: dict[str, Any]
    clients: dict[str, Client]
    http: httpx.AsyncClient

    def agent(self) -> Agent:
        return Agent(self.issuer, http_client(self.issuer, self.ca_file))

    def rp_url(self, name: str) -> str:
        return home(self.clients[name])

    @property
    def mails(self) -> Path:
        return self.stack.layout.mail.data

    async def code_of(self, person: KnownUser, name: str, **changes: str | None) -> tuple[Begun, str]:
        """Returns a new authorization code after a password login in a new browser.

        Args:
            changes: see `relying_party.begin`.
        """
        begun = relying_party.begin(self.metadata, self.clients[name], **changes)
        async with self.agent() as agent:
            page = await agent.sign_in(begun.url, person.login_name, person.password)
        return begun, code_in(page)

    async def silent_code(self, agent: Agent, name: str, **changes: str | None) -> tuple[Begun, str]:
        """Returns a new authorization code for the user signed in at this browser."""
        begun = relying_party.begin(self.metadata, self.clients[name], **changes)
        return begun, code_in(await agent.open(begun.url))

    async def silent_tokens(self, agent: Agent, name: str, **changes: str | None) -> dict[str, Any]:
        """Returns the token response for the user signed in at this browser."""
        begun, code = await self.silent_code(agent, name, **changes)
        return _tokens_in(await self.redeem(name, code, code_verifier=begun.verifier))

    async def ask(self, endpoint: str, client: Client, **form: str) -> httpx.Response:
        """Sends a form with the client's registered authentication.

        Args:
            endpoint: its name in the discovery document.
        """
        proof = relying_party.proof_of(client, self.issuer)
        return await self.http.post(self.metadata[endpoint], data={**form, **proof.form}, headers=proof.headers)

    async def grant(self, client: Client, grant_type: str, **form: str) -> dict[str, Any]:
        return _tokens_in(await self.ask("token_endpoint", client, grant_type=grant_type, **form))

    async def redeem(self, name: str, code: str, **changes: str | None) -> httpx.Response:
        return await relying_party.redeem(self.http, self.metadata, self.clients[name], code, **changes)

    async def tokens_of(self, person: KnownUser, name: str, **changes: str | None) -> dict[str, Any]:
        begun, code = await self.code_of(person, name, **changes)
        return _tokens_in(await self.redeem(name, code, code_verifier=begun.verifier))


def _tokens_in(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code == 200, f"{answer.status_code} {answer.text}"
    tokens: dict[str, Any] = answer.json()
    return tokens


def code_in(page: Page) -> str:
    """Returns the code of the redirect; fails with a description of the page without one."""
    assert page.returned is not None, f"{page.status} at {page.response.url}: {page.response.text[:2000]}"
    assert "code" in page.returned, page.location
    return page.returned["code"]


def http_client(issuer: str, ca_file: Path | None) -> httpx.AsyncClient:
    """Returns a client that trusts the stack's certificate, resolves it to this machine and does not follow
    redirects.
    """
    return httpx.AsyncClient(transport=transport_to(issuer, ca_file, _address_of(issuer)), timeout=HANGS)


def _address_of(issuer: str) -> str:
    """Returns the listening address of a stack whose name does not resolve."""
    parts = urlsplit(issuer)
    return "" if parts.hostname == "localhost" else f"127.0.0.1:{parts.port}"


@asynccontextmanager
async def peopled(stack: Stack, clients: dict[str, Client], listeners: Listeners) -> AsyncIterator[World]:
    issuer, ca_file = stack.issuer, stack.layout.gateway.ca_file
    await stack.apply(document(clients))
    async with AsyncExitStack() as opened:
        http = await opened.enter_async_context(http_client(issuer, ca_file))
        for name, client in clients.items():
            if client.key:  # the demo relying party has secrets only
                continue
            in_browser = APPS[name].in_browser
            app = (
                browser_rp.create_app(issuer, client) if in_browser else create_app(_settings(issuer, ca_file, client))
            )
            await opened.enter_async_context(serving(app, listeners[name]))
        answer = await http.get(f"{issuer}{DISCOVERY}")
        answer.raise_for_status()
        yield World(stack, issuer, ca_file, answer.json(), clients, http)


@asynccontextmanager
async def started(options: StackOptions, *, as_given: bool = False) -> AsyncIterator[World]:
    """Runs a separate stack with the participants registered, and stops it in any case.

    Args:
        as_given: ignore the run's profile, for tests that access the servers' files, and hash passwords at full cost.
    """
    with ExitStack() as held:
        # Bound from the start, because the stack needs these ports as settings and searches for free ports.
        listeners = {name: held.enter_context(socket.create_server(("127.0.0.1", free_port()))) for name in APPS}
        clients = {name: app.client(listeners[name].getsockname()[1]) for name, app in APPS.items()}
        environment = _with_back_channel(options.extra_env, clients)
        if not as_given:
            environment = {**environment, "users": {**_CHEAP_HASHES, **environment.get("users", {})}}
        stack = Stack(replace(options if as_given else of_this_run(options), extra_env=environment))
        try:
            await stack.start()
            if WITHOUT and not as_given:
                await end_for_good(stack, WITHOUT, document(clients))
            async with peopled(stack, clients, listeners) as world:
                yield world
        finally:
            await stack.stop()


def _with_back_channel(environment: Environment, clients: dict[str, Client]) -> Environment:
    """Allows calls to the local relying parties, because local addresses are blocked by default (IP-03)."""
    told = [urlsplit(home(client)).netloc for name, client in clients.items() if APPS[name].told_of_logout]
    authz = {"PORTICO_OUTBOUND_ALLOW": ",".join(told), **environment.get("authz", {})}
    return {**environment, "authz": authz}


def _settings(issuer: str, ca_file: Path | None, client: Client) -> DemoRpSettings:
    return DemoRpSettings(
        issuer=issuer,
        client_id=client.client_id,
        client_secret=SecretStr(client.secret),
        auth_method=client.auth_method,
        port=int(client.redirect_uri.removesuffix("/callback").rsplit(":", 1)[1]),
        ca_file=ca_file,
        provider_at=_address_of(issuer),
    )
