"""Clients that send a DPoP proof with each request, while replicas of several releases answer (RFC 9449)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
from portico_contracts.apply import (
    AppTypeName,
    AuthMethodName,
    Document,
    DpopName,
    GrantTypeName,
    OidcApp,
    Organization,
    Project,
)
from portico_fakes.dpop_proofs import Prover

from portico_scenarios.participants import ALICE
from portico_scenarios.programs import API, AUDIENCE
from portico_scenarios.relying_party import Client, begin
from portico_scenarios.steady_load import Outcome
from portico_scenarios.world import World, code_in

CLIENTS: Final = tuple(Client(name, "com.example.bound:/callback") for name in ("app-bound", "app-bound-nonces"))
SESSIONS: Final = 24
"""Of all clients; they are then refreshed in turn."""


@dataclass(slots=True)
class BoundSession:
    """A sign-in of a client: its key, and the newest tokens."""

    client: Client
    prover: Prover
    tokens: dict[str, Any] = field(repr=False)


@dataclass(slots=True)
class BoundClients:
    """Two public clients that sign in, refresh and use their tokens; one of them has to send nonces.

    Attributes:
        bound: responses with a bound token, and with a bearer token, as a release without DPoP issues them.
    """

    world: World
    outcome: Outcome
    bound: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})
    sessions: list[BoundSession] = field(default_factory=list)
    nonce: str = ""

    async def prepare(self) -> None:
        project = Project(id="bound", name="bound", oidc_apps=tuple(map(_app, CLIENTS)))
        organization = Organization(id="e2e-org", name="E2E", projects=(project,))
        await self.world.stack.apply(Document(organizations=(organization,)))

    async def use(self) -> None:
        """Signs in, or refreshes the oldest session; then introspects the new access token."""
        if len(self.sessions) < SESSIONS:
            session = await self._sign_in(CLIENTS[len(self.sessions) % len(CLIENTS)])
        else:
            session = self.sessions.pop(0)
            await self._refresh(session)
        self.sessions.append(session)
        await self._introspect(session)

    async def refused_without_proof(self) -> int:
        """Refreshes each session with a proof, then without one; returns how many need the proof."""
        refused = 0
        for session in self.sessions:
            await self._refresh(session)
            answer = await self._post(session, {}, **_refreshing(session))
            refused += answer.status_code == 400 and answer.json()["error"] == "invalid_grant"
        return refused

    async def _sign_in(self, client: Client) -> BoundSession:
        begun = begin(self.world.metadata, client, scope=f"openid offline_access {AUDIENCE}")
        async with self.world.agent() as agent:
            page = await agent.sign_in(begun.url, ALICE.login_name, ALICE.password)
        session = BoundSession(client, Prover("", time.time()), {})
        code = {"code": code_in(page), "redirect_uri": client.redirect_uri, "code_verifier": begun.verifier}
        await self._with_proof(session, grant_type="authorization_code", **code)
        return session

    async def _refresh(self, session: BoundSession) -> None:
        await self._with_proof(session, **_refreshing(session))

    async def _with_proof(self, session: BoundSession, **form: str) -> None:
        """A refused nonce costs one more request, whichever replica refuses it."""
        answer = await self._post(session, self._proof(session), **form)
        if answer.status_code == 400 and answer.json()["error"] == "use_dpop_nonce":
            self.nonce = answer.headers["DPoP-Nonce"]
            answer = await self._post(session, self._proof(session), **form)
        if answer.status_code == 400:
            self.outcome.wrong.append(f"{session.client.client_id} with a proof: {answer.text[:200]}")
        assert answer.status_code == 200, answer.text
        session.tokens = answer.json()
        self.bound[session.tokens["token_type"] == "DPoP"] += 1

    def _proof(self, session: BoundSession) -> dict[str, str]:
        session.prover.now = time.time()
        claims = {"nonce": self.nonce} if self.nonce and session.client is CLIENTS[1] else {}
        return session.prover.headers(self.world.metadata["token_endpoint"], **claims)

    async def _post(self, session: BoundSession, headers: dict[str, str], **form: str) -> httpx.Response:
        data = {"client_id": session.client.client_id, **form}
        return await self.world.http.post(self.world.metadata["token_endpoint"], data=data, headers=headers)

    async def _introspect(self, session: BoundSession) -> None:
        token = session.tokens["access_token"]
        answer = await self.world.ask("introspection_endpoint", API.client, token=token)
        assert answer.status_code == 200, answer.text
        if not answer.json()["active"]:
            self.outcome.wrong.append(f"a token of {session.client.client_id} was inactive")


def _refreshing(session: BoundSession) -> dict[str, str]:
    return {"grant_type": "refresh_token", "refresh_token": session.tokens["refresh_token"]}


def _app(client: Client) -> OidcApp:
    return OidcApp(
        name=client.client_id,
        client_id=client.client_id,
        app_type=AppTypeName.NATIVE,
        auth_method_type=AuthMethodName.NONE,
        redirect_uris=(client.redirect_uri,),
        grant_types=(GrantTypeName.AUTHORIZATION_CODE, GrantTypeName.REFRESH_TOKEN),
        dpop=DpopName.ALLOWED,
        dpop_nonce=client is CLIENTS[1],
    )
