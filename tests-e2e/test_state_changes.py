"""Permissions change while tokens are valid: sessions, users, applications, keys, roles (TK-11).

The limit of one second is tested with a frozen clock (`libs/runtime/tests/versioned_cache/test_read_cache.py`,
`services/token/tests/protocol`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import jwt
import msgspec
import pytest
from portico_contracts.apply import (
    AuthMethodName,
    Document,
    Email,
    GrantTypeName,
    OidcApp,
    Organization,
    Project,
    RoleGrant,
    ServiceUser,
)
from portico_contracts.http import INTROSPECT, TOKEN
from portico_contracts.token import REVOKE_SESSION, REVOKE_USER, RevokeSession, RevokeUser
from portico_harness.eventually import eventually
from portico_harness.key_pairs import KeyPair, key_pair
from portico_scenarios.administrator import administrator_of
from portico_scenarios.agent import Agent
from portico_scenarios.bus import speaking_as
from portico_scenarios.id_token import checked_claims
from portico_scenarios.participants import ALICE, APPS, BOB, PROJECT_ID, document
from portico_scenarios.programs import API, AUDIENCE, JWT_ROBOT, KEYED_ROBOT, READER, ROBOT, Program
from portico_scenarios.relying_party import begin, proof_of, userinfo
from portico_scenarios.replica_clients import Post, ReplicaClients, post
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long]


OVER = "2020-01-01T00:00:00Z"
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
MACHINES = "portico.management.v1.ServiceUserService"
SCOPE = "openid email offline_access urn:portico:project:roles"


@pytest.fixture(scope="module")
async def replicas(doubled: World) -> AsyncIterator[ReplicaClients]:
    async with ReplicaClients((one.address for one in doubled.stack.replicas_of("token")), 1) as replica_clients:
        yield replica_clients


@pytest.fixture
async def alice(doubled: World) -> AsyncIterator[Agent]:
    async with doubled.agent() as agent:
        await agent.sign_in(begin(doubled.metadata, doubled.clients["basic"]).url, ALICE.login_name, ALICE.password)
        yield agent


@asynccontextmanager
async def _changed(world: World, **parts: Any) -> AsyncIterator[None]:
    """Changes parts of the first organization until the block ends."""
    here = Organization(id="e2e-org", name="E2E", primary_domain=ALICE.domain, **parts)
    await world.stack.apply(Document(organizations=(here,)))
    try:
        yield
    finally:
        await world.stack.apply(document(world.clients))


def _app(world: World, name: str, **changes: Any) -> dict[str, Any]:
    app: OidcApp = msgspec.structs.replace(APPS[name].wanted(world.clients[name]), **changes)
    return {"projects": (Project(id=PROJECT_ID, name="E2E project", oidc_apps=(app,)),)}


def _robot(robot: Program, **changes: Any) -> dict[str, Any]:
    user: ServiceUser = msgspec.structs.replace(robot.wanted(), **changes)
    return {"service_users": (user,)}


def _alice(world: World, **changes: Any) -> dict[str, Any]:
    human = next(one for one in (document(world.clients).organizations[0].humans or ()) if one.id == ALICE.id)
    return {"humans": (msgspec.structs.replace(human, password=None, **changes),)}


async def _introspected(world: World, replicas: ReplicaClients, token: str) -> list[dict[str, Any]]:
    asked = post(INTROSPECT, {"token": token}, proof_of(API.client, world.issuer).headers)
    return [answer.json() for answer in await replicas.ask_everywhere(asked)]


class TokenErrors:
    """The replicas' responses to a token request: an error, or empty on success; combined when they differ."""

    def __init__(self, world: World, replicas: ReplicaClients) -> None:
        self._issuer = world.issuer
        self._clients = world.clients
        self._replicas = replicas

    async def of_app(self, name: str, refresh_token: str = "x") -> str:
        """Uses a refresh token of an application, with its authentication method."""

        def make() -> Post:
            proof = proof_of(self._clients[name], self._issuer)
            form = {"grant_type": "refresh_token", "refresh_token": refresh_token, **proof.form}
            return post(TOKEN, form, proof.headers)

        return await self._ask(make)

    async def of_key(self, key: KeyPair) -> str:
        def make() -> Post:
            assertion = key.assertion(KEYED_ROBOT.user_id, self._issuer)
            return post(TOKEN, {"grant_type": JWT_BEARER, "assertion": assertion, "scope": "openid"})

        return await self._ask(make)

    async def _ask(self, make: Callable[[], Post]) -> str:
        answers = await self._replicas.ask_each(make)
        return " or ".join(sorted({answer.json().get("error", "") for answer in answers}))


@pytest.fixture
def errors(doubled: World, replicas: ReplicaClients) -> TokenErrors:
    return TokenErrors(doubled, replicas)


async def test_ended_session_revokes_its_tokens_at_once(
    doubled: World, alice: Agent, replicas: ReplicaClients, errors: TokenErrors
) -> None:
    """Once authz has responded, every token of the session is inactive, offline ones too (IR-08)."""
    mine = [await doubled.silent_tokens(alice, name, scope=SCOPE) for name in ("offline", "keyed", "jwt")]
    other = await doubled.tokens_of(ALICE, "offline", scope=SCOPE)
    claims = await checked_claims(doubled.http, doubled.metadata, mine[0]["id_token"], "e2e-offline")
    async with speaking_as(doubled.stack, "authz") as bus:
        ended = await bus.call(REVOKE_SESSION, RevokeSession(user_id=ALICE.id, session_id=claims["sid"]))
    after = [said for one in mine for said in await _introspected(doubled, replicas, one["access_token"])]
    asked = [await userinfo(doubled.http, doubled.metadata, one["access_token"]) for one in mine]
    refreshed = [
        await errors.of_app(name, one["refresh_token"]) for name, one in zip(("offline", "keyed"), mine, strict=False)
    ]

    assert ended.grants >= len(mine)
    assert after == [{"active": False}] * 2 * len(mine)
    assert [answer.status_code for answer in asked] == [401] * len(mine)
    assert refreshed == ["invalid_grant"] * 2
    assert [said["active"] for said in await _introspected(doubled, replicas, other["access_token"])] == [True] * 2


@pytest.mark.parametrize("robot", [ROBOT, JWT_ROBOT], ids=["opaque", "JWT"])
async def test_ended_service_user_has_no_valid_tokens(doubled: World, replicas: ReplicaClients, robot: Program) -> None:
    """Once users has responded, all tokens of the service user are inactive, also those without a record (IR-08)."""
    token = (await doubled.grant(robot.client, "client_credentials", scope=AUDIENCE))["access_token"]
    before = await _introspected(doubled, replicas, token)
    async with speaking_as(doubled.stack, "users") as bus:
        await bus.call(REVOKE_USER, RevokeUser(user_id=robot.user_id))
    after = await _introspected(doubled, replicas, token)
    new = (await doubled.grant(robot.client, "client_credentials", scope=AUDIENCE))["access_token"]

    assert [said["active"] for said in before] == [True] * 2
    assert after == [{"active": False}] * 2
    assert [said["active"] for said in await _introspected(doubled, replicas, new)] == [True] * 2


async def test_ended_user_has_no_valid_tokens(doubled: World, replicas: ReplicaClients, errors: TokenErrors) -> None:
    """Once users has responded, access and refresh tokens of every application are inactive (TK-11)."""
    tokens = [await doubled.tokens_of(BOB, name, scope=SCOPE) for name in ("offline", "jwt")]
    async with speaking_as(doubled.stack, "users") as bus:
        ended = await bus.call(REVOKE_USER, RevokeUser(user_id=BOB.id))
    after = [said for one in tokens for said in await _introspected(doubled, replicas, one["access_token"])]

    assert ended.grants >= 2
    assert after == [{"active": False}] * 4
    assert await errors.of_app("offline", tokens[0]["refresh_token"]) == "invalid_grant"


async def test_application_loses_its_refresh_grant(doubled: World, alice: Agent, errors: TokenErrors) -> None:
    """Without the grant type a refresh token is refused within a second, but not used up (TK-19)."""
    first = await doubled.silent_tokens(alice, "offline", scope=SCOPE)
    token = first["refresh_token"]
    async with _changed(doubled, **_app(doubled, "offline", grant_types=(GrantTypeName.AUTHORIZATION_CODE,))):
        await eventually(lambda: errors.of_app("offline"), "unauthorized_client".__eq__)
        during = await errors.of_app("offline", token)
    await eventually(lambda: errors.of_app("offline"), "invalid_grant".__eq__)
    answer = await doubled.ask(
        "token_endpoint", doubled.clients["offline"], grant_type="refresh_token", refresh_token=token
    )  # fmt: skip

    assert during == "unauthorized_client"
    assert answer.status_code == 200


async def test_refresh_grace_period_is_configurable(doubled: World, alice: Agent, errors: TokenErrors) -> None:
    """Reuse of the last token is accepted within the grace period and otherwise revokes the family (TK-09)."""

    async def used_at_both() -> str:
        tokens = await doubled.silent_tokens(alice, "offline", scope=SCOPE)
        return await errors.of_app("offline", tokens["refresh_token"])

    async with _changed(doubled, **_app(doubled, "offline", refresh_token_grace_seconds=60)):
        await eventually(used_at_both, "".__eq__)
    await eventually(used_at_both, " or invalid_grant".__eq__)


async def test_clock_skew_applies_to_new_tokens(doubled: World, alice: Agent) -> None:
    """Clock skew widens the validity of id_tokens and leaves that of access tokens unchanged (decision 0021)."""

    async def seconds() -> tuple[int, int]:
        tokens = await doubled.silent_tokens(alice, "offline", scope=SCOPE)
        claims = jwt.decode(tokens["id_token"], options={"verify_signature": False})
        return claims["exp"] - claims["iat"], tokens["expires_in"]

    id_token, access_token = await seconds()
    async with _changed(doubled, **_app(doubled, "offline", clock_skew="5s")):
        await eventually(seconds, (id_token + 10, access_token).__eq__)
    await eventually(seconds, (id_token, access_token).__eq__)


CHANGES: dict[str, tuple[str, dict[str, Any]]] = {
    "another method": ("offline", {"auth_method_type": AuthMethodName.POST, "strict_auth_method": True}),
    "key ended": ("keyed", {"keys": (key_pair("e2e-key-of-keyed", "RS256").registered(OVER),)}),
}


@pytest.mark.parametrize(("name", "change"), CHANGES.values(), ids=CHANGES.keys())
async def test_changed_client_authentication_applies_within_a_second(
    doubled: World, errors: TokenErrors, name: str, change: dict[str, Any]
) -> None:
    """After a changed method or an expired key the earlier proof is refused within a second (TK-11, TK-16)."""
    before = await errors.of_app(name)
    async with _changed(doubled, **_app(doubled, name, **change)):
        await eventually(lambda: errors.of_app(name), "invalid_client".__eq__)

    assert before == "invalid_grant"
    await eventually(lambda: errors.of_app(name), "invalid_grant".__eq__)


async def test_expired_key_of_a_service_user_is_refused(doubled: World, errors: TokenErrors) -> None:
    """Assertions signed with it are refused within a second, and those of its other key are not (TK-11)."""
    ending, other = KEYED_ROBOT.keys
    before = [await errors.of_key(key) for key in (ending, other)]
    async with _changed(doubled, **_robot(KEYED_ROBOT, keys=(ending.registered(OVER), other.registered()))):
        await eventually(lambda: errors.of_key(ending), "invalid_grant".__eq__)
        during = await errors.of_key(other)

    assert before == ["", ""]
    assert during == ""


async def test_revoked_previous_secret_is_refused(doubled: World, replicas: ReplicaClients) -> None:
    """Both secrets of a service user work at both replicas until the previous one is revoked."""
    admin = await administrator_of(doubled)
    name = {"userName": f"two-{admin.tag}", "name": "Two"}
    user = (await admin.connect(f"{MACHINES}.AddMachineUser", name)).body
    asked = {"userId": user["userId"], "keepSeconds": 600}
    made = [(await admin.connect(f"{MACHINES}.GenerateMachineSecret", asked)).body["clientSecret"] for _ in range(2)]

    async def answered(secret: str) -> set[int]:
        form = {"grant_type": "client_credentials", "scope": "openid", "client_id": user["userId"]}
        answers = await replicas.ask_each(lambda: post(TOKEN, {**form, "client_secret": secret}))
        return {answer.status for answer in answers}

    before = [await answered(one) for one in made]
    ended = await admin.connect(f"{MACHINES}.RemovePreviousMachineSecret", {"userId": user["userId"]})
    await eventually(lambda: answered(made[0]), {401}.__eq__)

    assert (before, ended.code) == ([{200}, {200}], 0)
    assert await answered(made[1]) == {200}


async def test_changed_user_is_seen_everywhere(doubled: World, alice: Agent, replicas: ReplicaClients) -> None:
    """Removed roles and a new email address are in introspection and userinfo within a second."""
    token = (await doubled.silent_tokens(alice, "offline", scope=SCOPE))["access_token"]
    before = await _introspected(doubled, replicas, token)

    async def seen() -> list[dict[str, Any]]:
        answer = await userinfo(doubled.http, doubled.metadata, token)
        return [*await _introspected(doubled, replicas, token), answer.json()]

    def is_new(said: list[dict[str, Any]]) -> bool:
        roles = "urn:portico:project:roles"
        return all(roles not in one and one["email"] == "new@mail.example.test" for one in said)

    changes = {
        "email": Email(email="new@mail.example.test", is_verified=True),
        "grants": (RoleGrant(project=PROJECT_ID, role_keys=()),),
    }
    async with _changed(doubled, **_alice(doubled, **changes)):
        await eventually(seen, is_new)

    assert [READER in said["urn:portico:project:roles"] for said in before] == [True] * 2
    assert [said["email"] for said in before] == ["alice@mail.example.test"] * 2
