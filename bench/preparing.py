"""What operations need before they can be driven: browsers that are signed in, tokens, clients by token kind.

Everything comes about by plain HTTP, as a relying party and a browser would do it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx
from portico_contracts.http import DISCOVERY, MANAGEMENT_OPENAPI
from portico_journeys.agent import Agent
from portico_journeys.relying_party import Begun, Client, begin, redeem

from bench.client_authentication import credentials
from bench.members import Member
from bench.populating import OFFLINE, SCOPE
from bench.target import Person, Target
from bench.token_kinds import OPAQUE, kind_of

OWN_API: Final = "openid urn:portico:project:id:portico:aud"
_AT_ONCE: Final = 4
_UNSUPPORTED: Final = ("unsupported_grant_type", "unauthorized_client")


class NotServed(Exception):
    """The target does not offer the operation, or no client is registered that may use it; the text names which."""


class PreparationFailed(RuntimeError):
    """The target offers the operation and then answered wrongly; the text names what."""


@dataclass
class Ground:
    """A target with everything prepared on it so far; made with `discover`.

    Attributes:
        metadata: the discovery document.
        sessions: how many members there are to be where they are not given.
    """

    target: Target
    http: httpx.AsyncClient
    metadata: dict[str, Any]
    sessions: int
    user_ids: list[str] = field(default_factory=list)
    _members: list[Member] = field(default_factory=list, repr=False)
    _robots: dict[str, Client] | None = None

    def endpoint(self, name: str) -> str:
        """An address of the discovery document.

        Raises:
            NotServed: when it names none.
        """
        url = self.metadata.get(name)
        if not isinstance(url, str):
            raise NotServed(f"discovery names no {name}")
        return url

    def client(self) -> Client:
        """The first application.

        Raises:
            NotServed: when there is none.
        """
        if not self.target.cast.clients:
            raise NotServed("no client with the code flow is given")
        return self.target.cast.clients[0]

    def refuse_without_grant(self, grant_type: str) -> None:
        """Raises NotServed when discovery does not name the grant (RFC 8414 §2 has the default)."""
        if grant_type not in self.metadata.get("grant_types_supported", ["authorization_code", "implicit"]):
            raise NotServed(f"discovery does not name the grant {grant_type}")

    async def members(self, people: int) -> list[Member]:
        """The first so many end users who are signed in; all of them where there are fewer."""
        if not self._members:
            self._members = list(self.target.cast.members) or await self._new_members()
        return self._members[:people]

    async def tokens(self, people: int) -> dict[str, list[str]]:
        """Access tokens by kind, one of each kind for every member."""
        found: dict[str, list[str]] = {}
        for member in await self.members(people):
            if not member.tokens:
                for client in self.target.cast.clients:
                    answer = await self._flow(client, SCOPE, member.cookie)
                    member.tokens[kind_of(answer["access_token"])] = answer["access_token"]
            for kind, token in member.tokens.items():
                found.setdefault(kind, []).append(token)
        return found

    async def with_refresh_tokens(self, people: int) -> list[Member]:
        """Members, each with a refresh token that was not used.

        Raises:
            NotServed: when none are given out.
        """
        self.refuse_without_grant("refresh_token")
        members = await self.members(people)
        for member in members:
            if not member.refresh_token:
                answer = await self._flow(self.client(), OFFLINE, member.cookie)
                if "refresh_token" not in answer:
                    raise NotServed("no refresh token is given out for offline_access")
                member.refresh_token = answer["refresh_token"]
        return members

    async def robot(self, kind: str) -> Client:
        """A client that gets access tokens of a kind by client_credentials.

        Raises:
            NotServed: when there is none.
        """
        self.refuse_without_grant("client_credentials")
        if not self.target.cast.robots:
            raise NotServed("no service user with a secret is given")
        if self._robots is None:
            self._robots = {}
            for robot in self.target.cast.robots:
                self._robots.setdefault(await self._kind_given_to(robot), robot)
        if kind not in self._robots:
            raise NotServed(f"no service user gets {kind} tokens, only {', '.join(self._robots)}")
        return self._robots[kind]

    async def management_headers(self) -> dict[str, str]:
        """What a service user proves itself with at the management API.

        Raises:
            NotServed: when there is no such API, or no service user is given that may use it.
        """
        if (await self.http.get(f"{self.target.issuer}{MANAGEMENT_OPENAPI}")).status_code != 200:
            raise NotServed("there is no management API")
        headers, fields = credentials(await self.robot(OPAQUE))
        form = {"grant_type": "client_credentials", "scope": OWN_API, **fields}
        answer = await self.http.post(self.endpoint("token_endpoint"), content=urlencode(form), headers=headers)
        if answer.status_code != 200:
            raise PreparationFailed(f"no token for the management API: {answer.status_code} {answer.text[:300]}")
        return {"Authorization": f"Bearer {answer.json()['access_token']}", "Content-Type": "application/json"}

    def begin(self, client: Client, scope: str = SCOPE) -> Begun:
        """An authorization request; refresh tokens require that consent is requested (OIDC Core §11)."""
        return begin(self.metadata, client, scope=scope, prompt=None)

    async def _new_members(self) -> list[Member]:
        found = list(self.target.cast.cookies) or await self._sign_everybody_in()
        return [Member(found[number % len(found)]) for number in range(self.sessions)]

    async def _sign_everybody_in(self) -> list[str]:
        people = self.target.cast.people
        if not people:
            raise NotServed("no end user is given who could sign in")
        limit = asyncio.Semaphore(_AT_ONCE)

        async def one(person: Person) -> str:
            async with limit:
                return await self._sign_in(person)

        return list(await asyncio.gather(*(one(person) for person in people)))

    async def _sign_in(self, person: Person) -> str:
        begun = self.begin(self.client())
        async with Agent(self.target.issuer, httpx.AsyncClient(trust_env=False, timeout=30)) as agent:
            try:
                page = await agent.sign_in(begun.url, person.login_name, person.password)
            except LookupError as error:
                raise PreparationFailed(f"{person.login_name} cannot sign in: {str(error)[:300]}") from error
            if page.returned is None or "code" not in page.returned:
                raise PreparationFailed(f"{person.login_name} cannot sign in: {page.status} {page.response.text[:300]}")
            return "; ".join(f"{cookie.name}={cookie.value}" for cookie in agent.http.cookies.jar)

    async def _flow(self, client: Client, scope: str, cookie: str) -> dict[str, Any]:
        begun = self.begin(client, scope)
        sent_back = await self.http.get(begun.url, headers={"Cookie": cookie})
        location = sent_back.headers.get("location", "")
        code = dict(parse_qsl(urlsplit(location).query)).get("code")
        if not location.startswith(client.redirect_uri) or code is None:
            raise PreparationFailed(f"no code for a browser that is signed in: {sent_back.status_code} to {location}")
        answer = await redeem(self.http, self.metadata, client, code, code_verifier=begun.verifier)
        if answer.status_code != 200:
            raise PreparationFailed(f"the code is not taken: {answer.status_code} {answer.text[:300]}")
        tokens: dict[str, Any] = answer.json()
        return tokens

    async def _kind_given_to(self, robot: Client) -> str:
        headers, fields = credentials(robot)
        form = {"grant_type": "client_credentials", "scope": "openid", **fields}
        answer = await self.http.post(self.endpoint("token_endpoint"), content=urlencode(form), headers=headers)
        if answer.status_code == 200:
            return kind_of(answer.json()["access_token"])
        if answer.headers.get("content-type", "").startswith("application/json"):
            error = answer.json().get("error")
            if error in _UNSUPPORTED:
                raise NotServed(f"client_credentials of {robot.client_id} is answered with {error}")
        raise PreparationFailed(f"no token for {robot.client_id}: {answer.status_code} {answer.text[:300]}")


async def discover(target: Target, http: httpx.AsyncClient, sessions: int) -> Ground:
    """Reads the discovery document.

    Args:
        sessions: how many members there are to be where they are not given.

    Raises:
        PreparationFailed: when there is no such document.
    """
    answer = await http.get(f"{target.issuer}{DISCOVERY}")
    if answer.status_code != 200:
        raise PreparationFailed(f"{target.issuer} has no discovery document: {answer.status_code}")
    return Ground(target, http, answer.json(), sessions)
