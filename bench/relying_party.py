"""What operations need before they can be driven: tokens, clients by token kind, users; by plain HTTP."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, cast
from urllib.parse import parse_qsl, urlsplit

import httpx
import jwt
from portico_contracts.http import DISCOVERY, MANAGEMENT_OPENAPI
from portico_scenarios.relying_party import Client, begin, proof_of, redeem

from bench.proofs import ProofKey
from bench.target import BenchFailed, Member, Target

OPAQUE: Final = "opaque"
HUMANS: Final = "/v2/users/human"
OFFLINE: Final = "openid profile email offline_access"
_OWN_API: Final = "openid urn:portico:project:id:portico:aud"
_USERS_READ: Final = 32
_UNSUPPORTED: Final = ("unsupported_grant_type", "unauthorized_client")


class NotServed(Exception):
    """The target does not offer the operation, or no client is registered that may use it; the text names which."""


@dataclass(slots=True)
class RelyingParty:
    """Asks a target as its applications would. Its methods raise NotServed."""

    target: Target
    http: httpx.AsyncClient
    metadata: dict[str, Any]
    _user_ids: list[str] = field(default_factory=list)
    _keys: list[ProofKey] = field(default_factory=list)

    @property
    def clients(self) -> list[Client]:
        """The applications."""
        return self.target.accounts.registered(self.target.accounts.clients)

    @property
    def client(self) -> Client:
        """The first application."""
        if not self.clients:
            raise NotServed("no client with the code flow is given")
        return self.clients[0]

    @property
    def dpop_client(self) -> Client:
        """The application whose requests may have DPoP proofs."""
        accounts = self.target.accounts
        if not accounts.dpop:
            raise NotServed("no application that may use DPoP is given")
        return accounts.registered(accounts.dpop)[0]

    def endpoint(self, name: str) -> str:
        """An address of the discovery document."""
        url = self.metadata.get(name)
        if not isinstance(url, str):
            raise NotServed(f"discovery names no {name}")
        return url

    def members(self, people: int) -> Sequence[Member]:
        """The first so many; all of them where there are fewer."""
        if not self.target.accounts.members:
            raise NotServed("no browser that is signed in is given")
        return self.target.accounts.members[:people]

    async def tokens(self, people: int) -> dict[str, list[str]]:
        """Access tokens by kind, one of each kind for every member."""
        found: dict[str, list[str]] = {}
        for member in self.members(people):
            for client in self.clients if len(member.tokens) < len(self.clients) else []:
                await self.code_flow(client, member)
            for kind, token in member.tokens.items():
                found.setdefault(kind, []).append(token)
        return found

    async def members_with_refresh_tokens(self, people: int) -> Sequence[Member]:
        """The members who have, or get, a refresh token that was not used."""
        self._refuse_without_grant("refresh_token")
        members = self.members(people)
        for member in members:
            if not member.refresh_token:
                await self.code_flow(self.client, member, OFFLINE)
        found = [member for member in members if member.refresh_token]
        if not found:
            raise NotServed("no refresh token is issued for offline_access")
        return found

    async def members_with_dpop(self, people: int) -> Sequence[Member]:
        """The members, each with a refresh token of `dpop_client` that was not used."""
        client, members = self.dpop_client, self.members(people)
        for member in members:
            if not member.dpop_refresh_token:
                begun = begin(self.metadata, client, scope=OFFLINE)
                sent = await self.http.get(begun.url, headers={"Cookie": member.cookie})
                await self.take_dpop_token(member, sent, begun.verifier)
        return members

    def proofs(self, url: str, people: int, number: int) -> list[str]:
        """So many DPoP proofs of so many clients in turn, each with its own key, which stays the same."""
        self._keys.extend(ProofKey() for _ in range(people - len(self._keys)))
        return [self._keys[turn % people].proof(url) for turn in range(number)]

    async def robot(self, kind: str) -> Client:
        """A client that gets access tokens of a kind by client_credentials."""
        self._refuse_without_grant("client_credentials")
        accounts = self.target.accounts
        robots = accounts.registered(accounts.robots)
        found = {kind_of(await self._client_credentials(robot, "openid")): robot for robot in robots}
        if kind not in found:
            raise NotServed(f"no client gets {kind} tokens by client_credentials, only {', '.join(found)}")
        return found[kind]

    async def management_headers(self) -> dict[str, str]:
        """Of a service user that may use the management API."""
        if (await self.http.get(f"{self.target.issuer}{MANAGEMENT_OPENAPI}")).status_code != 200:
            raise NotServed("there is no management API")
        token = await self._client_credentials(await self.robot(OPAQUE), _OWN_API)
        return {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    async def created_users(self, headers: dict[str, str]) -> list[str]:
        """The ids of some users, created for this."""
        while len(self._user_ids) < _USERS_READ:
            name, url = f"read-{secrets.token_hex(6)}", f"{self.target.issuer}{HUMANS}"
            right(await self.http.post(url, content=human(name), headers=headers))
            self._user_ids.append(name)
        return self._user_ids

    async def code_flow(self, client: Client, member: Member, scope: str = "openid profile email") -> None:
        """Gets a member tokens of an application."""
        begun = begin(self.metadata, client, scope=scope)
        sent = await self.http.get(begun.url, headers={"Cookie": member.cookie})
        await self.take_tokens(client, member, sent, begun.verifier)

    async def take_tokens(self, client: Client, member: Member, sent: httpx.Response, verifier: str) -> None:
        """Redeems the code in a redirect."""
        tokens = await self._redeemed(client, sent, verifier)
        member.tokens[kind_of(tokens["access_token"])] = tokens["access_token"]
        member.refresh_token = member.refresh_token or tokens.get("refresh_token", "")

    async def take_dpop_token(self, member: Member, sent: httpx.Response, verifier: str) -> None:
        """The refresh token alone: no other operation uses this application."""
        tokens = await self._redeemed(self.dpop_client, sent, verifier)
        member.dpop_refresh_token = tokens["refresh_token"]

    async def _redeemed(self, client: Client, sent: httpx.Response, verifier: str) -> dict[str, Any]:
        location = sent.headers.get("location", "")
        code = dict(parse_qsl(urlsplit(location).query)).get("code")
        if code is None or not location.startswith(client.redirect_uri):
            raise BenchFailed(f"no code for a browser that is signed in: {sent.status_code} to {location[:300]}")
        return right(await redeem(self.http, self.metadata, client, code, code_verifier=verifier))

    def _refuse_without_grant(self, grant_type: str) -> None:
        # RFC 8414 §2 has the default.
        if grant_type not in self.metadata.get("grant_types_supported", ["authorization_code", "implicit"]):
            raise NotServed(f"discovery does not name the grant {grant_type}")

    async def _client_credentials(self, robot: Client, scope: str) -> str:
        url, proof = self.endpoint("token_endpoint"), proof_of(robot, self.target.issuer)
        form = {"grant_type": "client_credentials", "scope": scope, **proof.form}
        answer = await self.http.post(url, data=form, headers=proof.headers)
        if any(error in answer.text for error in _UNSUPPORTED):
            raise NotServed(f"{robot.client_id} may not use client_credentials: {answer.text[:300]}")
        return str(right(answer)["access_token"])


async def discover(target: Target, http: httpx.AsyncClient) -> RelyingParty:
    """Reads the discovery document."""
    return RelyingParty(target, http, right(await http.get(f"{target.issuer}{DISCOVERY}")))


def right(answer: httpx.Response) -> dict[str, Any]:
    """The JSON of an answer; raises BenchFailed with the answer when its status is not 200."""
    if answer.status_code != 200:
        raise BenchFailed(f"{answer.url.path} answered {answer.status_code}: {answer.text[:300]}")
    return cast("dict[str, Any]", answer.json())


def kind_of(token: str) -> str:
    """``opaque``, or the algorithm that a JWT is signed with."""
    with suppress(jwt.InvalidTokenError):
        return str(jwt.get_unverified_header(token)["alg"])
    return OPAQUE


def human(name: str, **more: object) -> str:
    """A new user as the API takes it, without a password: hashing one is measured where people sign in."""
    email = {"email": f"{name}@mail.example.test", "isVerified": True}
    profile = {"firstName": "Bench", "lastName": name}
    return json.dumps({"userId": name, "username": name, "profile": profile, "email": email, **more})
