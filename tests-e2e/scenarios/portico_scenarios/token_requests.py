"""Valid token requests of every grant and method, and ways to make them invalid."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
from portico_harness.key_pairs import key_pair

from portico_scenarios.agent import Agent
from portico_scenarios.programs import KEYED_ROBOT, ROBOT
from portico_scenarios.relying_party import Client, basic, proof_of
from portico_scenarios.world import World

CODE: Final = "authorization_code"
REFRESH: Final = "refresh_token"
CREDENTIALS: Final = "client_credentials"
JWT_BEARER: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"

APPS: Final = {
    "client_secret_basic": "offline",
    "client_secret_post": "post",
    "none": "public",
    "private_key_jwt": "keyed",
}
ROBOTS: Final = {"client_secret_basic": ROBOT.client, "client_secret_post": ROBOT.in_body}

EVERY_CALL: Final = (
    *((CODE, method) for method in APPS),
    *((REFRESH, method) for method in APPS),
    *((CREDENTIALS, method) for method in ROBOTS),
    (JWT_BEARER, "assertion"),
)
"""The specification's table of client authentication for the token endpoint."""


@dataclass
class Call:
    """A valid request of one grant and method, for a test to change."""

    world: World
    alice: Agent
    grant: str
    method: str
    form: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    more: str = ""
    """Appended to the body unchanged."""

    @property
    def client(self) -> Client:
        if self.grant == JWT_BEARER:
            return KEYED_ROBOT.client
        return ROBOTS[self.method] if self.grant == CREDENTIALS else self.world.clients[APPS[self.method]]

    async def send(self) -> httpx.Response:
        content = str(httpx.QueryParams(self.form)) + self.more
        headers = {"Content-Type": "application/x-www-form-urlencoded", **self.headers}
        return await self.world.http.post(self.world.metadata["token_endpoint"], content=content, headers=headers)

    def authenticate(self, client: Client | None = None) -> None:
        """Authenticates as this client or another one, with a new assertion each time."""
        self.no_authentication()
        proof = proof_of(client or self.client, self.world.issuer)
        self.form |= proof.form
        self.headers |= proof.headers

    def no_authentication(self) -> None:
        self.headers.clear()
        for name in ("client_id", "client_secret", "client_assertion", "client_assertion_type"):
            self.form.pop(name, None)

    def assertion(self, **changes: Any) -> str:
        return KEYED_ROBOT.keys[0].assertion(KEYED_ROBOT.user_id, self.world.issuer, **changes)


async def good(world: World, alice: Agent, grant: str, method: str) -> Call:
    call = Call(world, alice, grant, method)
    match grant:
        case "authorization_code":
            await _code(call)
        case "refresh_token":
            tokens = await world.silent_tokens(alice, APPS[method], scope="openid offline_access")
            call.form = {"refresh_token": tokens["refresh_token"]}
        case "client_credentials":
            call.form = {"scope": "openid"}
        case _:
            call.form = {"scope": "openid", "assertion": call.assertion()}
    call.form["grant_type"] = grant
    if grant != JWT_BEARER:
        call.authenticate()
    return call


async def _code(call: Call) -> None:
    begun, code = await call.world.silent_code(call.alice, APPS[call.method], scope="openid offline_access")
    call.form |= {"code": code, "redirect_uri": call.client.redirect_uri, "code_verifier": begun.verifier}


Spoil = Callable[[Call], Awaitable[None] | None]


def without(name: str) -> Spoil:
    def spoil(call: Call) -> None:
        call.form.pop(name, None)

    return spoil


def having(**form: str) -> Spoil:
    return lambda call: call.form.update(form)


def repeating(name: str, value: str = "x") -> Spoil:
    def spoil(call: Call) -> None:
        call.more = f"&{name}={value}" if name in call.form else f"&{name}={value}&{name}={value}"

    return spoil


def use_two_mechanisms(call: Call) -> None:
    if "Authorization" in call.headers:
        call.form |= {"client_id": "e2e-post", "client_secret": "x" * 24}
    else:
        call.headers["Authorization"] = basic("e2e-offline", "x" * 24)


def send_wrong_secret(call: Call) -> None:
    if "Authorization" in call.headers:
        call.headers["Authorization"] = basic(call.client.client_id, call.client.secret + "x")
    else:
        call.form["client_secret"] += "x"


def be_unknown(call: Call) -> None:
    known = call.client
    call.authenticate(Client("e2e-nobody", "", known.secret, known.auth_method, known.key))


def use_unknown_scheme(call: Call) -> None:
    call.no_authentication()
    call.headers["Authorization"] = "Digest username=e2e-offline"


def use_strange_key(call: Call) -> None:
    known = call.client
    stranger = key_pair("e2e-key-of-nobody", "ES256")
    call.authenticate(Client(known.client_id, "", auth_method="private_key_jwt", key=stranger))


async def use_client_assertion_twice(call: Call) -> None:
    """Reuses a client assertion with another valid grant."""
    used = {name: call.form[name] for name in ("client_assertion", "client_assertion_type")}
    assert (await call.send()).status_code == 200
    call.form = {**(await good(call.world, call.alice, call.grant, call.method)).form, **used}


async def use_before(call: Call) -> None:
    assert (await call.send()).status_code == 200
    if call.method == "private_key_jwt":
        call.authenticate()


def be_another_client(call: Call) -> None:
    call.authenticate(call.world.clients["roles"])


async def revoke_before(call: Call) -> None:
    answer = await call.world.ask("revocation_endpoint", call.client, token=call.form["refresh_token"])
    assert answer.status_code == 200


def be_without_refresh(call: Call) -> None:
    """Uses the only application without refresh tokens."""
    call.authenticate(call.world.clients["basic"])


def be_an_application(call: Call) -> None:
    """Uses an application where a service user is required."""
    call.authenticate(call.world.clients["offline" if call.method == "client_secret_basic" else "post"])
