"""Cached users need no request to users, and changes are in force at the next request (decision 0039)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from portico_contracts.authz import REDEEM_CODE
from portico_contracts.token import AUTHENTICATE_BEARER, AuthenticateBearer
from portico_contracts.users import (
    CHECK_PROJECT_ACCESS,
    GET_CLAIMS,
    GET_ROLES,
    AccessTokenType,
    ClientKind,
    ProjectAccess,
    UserClaims,
)
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.memory_versions import MemoryVersions
from portico_fakes.token_service import USER, TokenService, token_service_in_memory
from portico_harness.rows import row
from portico_oauth.jose import SigningKey
from portico_oauth.scopes import OWN_PROJECT
from portico_runtime.versioned_cache import keys

ROBOT = "robot"
SCOPE = ("openid", "profile", "offline_access", "urn:portico:project:id:portico:aud")
READER = {"reader": {"org-1": "example.test"}}
KINDS = {"opaque": AccessTokenType.OPAQUE, "jwt": AccessTokenType.JWT}

OPERATIONS = {
    kind: [f"{name} {kind}" for name in ("introspect", "introspect own", "userinfo", "bearer", "bearer own", "refresh")]
    for kind in KINDS
}
"""Operations by kind of the token; an own token was requested by a service user for itself."""

each_kind = pytest.mark.parametrize("kind", list(KINDS))


class Known:
    """A replica that reads versions, and the requests of its clients."""

    def __init__(self, service: TokenService, bus: MemoryBus, versions: MemoryVersions) -> None:
        self.service = service
        self.bus = bus
        self.versions = versions
        self.tokens: dict[str, str] = {}

    async def set_up(self, kind: str, **client: Any) -> None:
        """Signs Ada and a service user in."""
        service, type = self.service, KINDS[kind]
        grants = ("authorization_code", "refresh_token")
        service.register("app", access_token_type=type, grant_types=grants, management_access=True, **client)
        service.register("api", kind=ClientKind.API, grant_types=(), redirect_uris=())
        service.register_service_user(ROBOT, access_token_type=type)
        service.users.audiences["project-1"] = ("api",)
        self.change(USER, "v1")
        self.change(ROBOT, "r1")
        answer = await service.redeem(service.issue_code("app", scope=SCOPE), "app")
        self.tokens = answer.json()
        own = await service.client_credentials(ROBOT, scope=f"openid {SCOPE[3]} urn:portico:project:id:project-1:aud")
        self.tokens["own"] = own.json()["access_token"]

    def change(self, user_id: str, version: str, **fields: Any) -> None:
        """Changes a user: the response of users, and the version."""
        found = self.service.users.people[user_id]
        assert found.user
        user = replace(found.user, version=version, **fields)
        self.service.users.people[user_id] = replace(found, user=user)
        self.versions.stored[keys.user(user_id)] = version

    async def run(self, operation: str) -> tuple[dict[str, Any], list[str]]:
        """Returns the response to a request, and the bus requests it needed."""
        name, *own, _kind = operation.split()
        token = self.tokens["own" if own else "access_token"]
        before = len(self.bus.called)
        body = await self._send(name, token)
        return body, [subject for subject in self.bus.called[before:] if subject != AUTHENTICATE_BEARER.subject]

    async def _send(self, name: str, token: str) -> dict[str, Any]:
        if name == "bearer":
            ask = AuthenticateBearer(token=token, audience=OWN_PROJECT)
            bearer = (await self.bus.call(AUTHENTICATE_BEARER, ask)).bearer
            return {"sub": bearer.user_id} if bearer else {}
        requests: dict[str, Callable[[], Awaitable[httpx.Response]]] = {
            "introspect": lambda: self.service.introspect(token, "api"),
            "userinfo": lambda: self.service.userinfo(token),
            "refresh": lambda: self.service.refresh(self.tokens["refresh_token"], "app"),
        }
        body: dict[str, Any] = (await requests[name]()).json()
        if "refresh_token" in body:
            self.tokens |= body
        return body


@pytest.fixture
def versions(clock: FrozenClock) -> MemoryVersions:
    return MemoryVersions(clock)


@pytest.fixture
async def known(
    clock: FrozenClock, bus: MemoryBus, versions: MemoryVersions, signing_keys: tuple[SigningKey, ...]
) -> AsyncIterator[Known]:
    service = token_service_in_memory(clock, bus, MemoryGrants(versions), signing_keys, versions=versions)
    async with service.running():
        await poll(service)
        yield Known(service, bus, versions)


async def poll(service: TokenService) -> None:
    assert service.parts
    assert service.parts.memory
    await service.parts.memory.lease.poll()


def is_active(body: dict[str, Any]) -> bool:
    """Reports whether the request succeeded with a valid token."""
    return bool(body.get("active", "error" not in body and body))


def kind_of(operation: str) -> str:
    return operation.rpartition(" ")[2]


def user_of(operation: str) -> str:
    return ROBOT if " own " in operation else USER


@each_kind
async def test_cached_data_needs_no_request(known: Known, kind: str) -> None:
    """From the second request on nothing is requested on the bus."""
    await known.set_up(kind)
    for operation in OPERATIONS[kind]:
        with row(operation):
            await known.run(operation)
            answers = [await known.run(operation) for _ in range(2)]

            assert [questions for _, questions in answers] == [[], []]
            assert all(is_active(body) for body, _ in answers)


@each_kind
async def test_changed_version_causes_one_request(known: Known, kind: str) -> None:
    await known.set_up(kind)
    for operation in OPERATIONS[kind]:
        with row(operation):
            await known.run(operation)
            known.change(user_of(operation), f"after {operation}")
            answers = [await known.run(operation) for _ in range(3)]

            assert [questions for _, questions in answers] == [[GET_CLAIMS.subject], [], []]


@each_kind
async def test_marker_causes_a_request_each_time(known: Known, kind: str) -> None:
    """While a change is in progress, the response of users counts, before and after the commit."""
    await known.set_up(kind)
    for operation in OPERATIONS[kind]:
        fact = keys.user(user_of(operation))
        version = known.versions.text_of(fact)
        with row(operation):
            await known.run(operation)
            await known.versions.begin("c1", [fact])
            answers = [await known.run(operation) for _ in range(2)]
            await known.versions.finish("c1", {fact: version})

            assert [questions for _, questions in answers] == [[GET_CLAIMS.subject]] * 2


@each_kind
@pytest.mark.parametrize("step", ["marked", "set", "lost"])
async def test_deactivation_is_in_force_at_the_next_request(known: Known, kind: str, step: str) -> None:
    """A deactivated user is refused, whether Redis has the marker, the version or nothing (P3)."""
    for operation in OPERATIONS[kind]:
        user_id = user_of(operation)
        with row(operation):
            await known.set_up(kind)
            first, _ = await known.run(operation)
            active = known.service.users.people.pop(user_id)
            if step == "marked":
                await known.versions.begin("c1", [keys.user(user_id)])
            else:
                known.versions.stored[keys.user(user_id)] = "v2" if step == "set" else ""
            second, questions = await known.run(operation)
            known.service.users.people[user_id] = active

            assert (is_active(first), is_active(second)) == (True, False)
            assert questions == [GET_CLAIMS.subject]


@pytest.mark.parametrize("kind", list(KINDS))
async def test_changed_claims_are_in_the_next_response(known: Known, kind: str) -> None:
    known.service.users.people[USER] = replace(known.service.users.people[USER], claims={"name": "Ada"})
    await known.set_up(kind)
    before, _ = await known.run(f"userinfo {kind}")
    known.service.users.people[USER] = replace(known.service.users.people[USER], claims={"name": "Countess"})
    known.change(USER, "v2")
    after, _ = await known.run(f"userinfo {kind}")

    assert before["name"] == "Ada"
    assert after["name"] == "Countess"


@pytest.mark.parametrize("operation", ["introspect opaque", "userinfo opaque", "refresh jwt"])
@pytest.mark.parametrize("what", ["person", "directory"])
async def test_changed_roles_are_in_the_next_response(known: Known, operation: str, what: str) -> None:
    """Roles depend on the user and on the organization's objects, and unchanged ones need no request."""
    known.service.users.roles[USER, "project-1"] = READER
    roles = {"access_token_roles": True, "userinfo_roles": True, "id_token_roles": True}
    await known.set_up(kind_of(operation), **roles)
    await known.run(operation)
    _, known_already = await known.run(operation)
    known.service.users.roles[USER, "project-1"] = {"admin": {"org-1": "example.test"}}
    await change(known, what)
    _, questions = await known.run(operation)

    assert known_already == []
    assert GET_ROLES.subject in questions
    assert (await known.run(operation))[1] == []


@pytest.mark.parametrize("what", ["person", "directory"])
async def test_lost_project_access_refuses_the_next_refresh(known: Known, what: str) -> None:
    """A user without a role of the project, or whose organization lost the project, gets no new token."""
    known.service.users.admissions[USER, "project-1"] = ProjectAccess(has_role=True, has_project=True)
    await known.set_up("opaque", checks_roles=True, checks_project=True)
    await known.run("refresh opaque")
    _, known_already = await known.run("refresh opaque")
    known.service.users.admissions[USER, "project-1"] = ProjectAccess(has_role=True)
    await change(known, what)
    refused, questions = await known.run("refresh opaque")

    assert known_already == []
    assert CHECK_PROJECT_ACCESS.subject in questions
    assert "error" in refused


async def change(known: Known, what: str) -> None:
    """Changes the user, or a project with the next poll."""
    if what == "person":
        known.change(USER, "v2")
        return
    facts = [keys.of_kind("project"), keys.anything()]
    await known.versions.begin("c1", facts)
    await known.versions.finish("c1", dict.fromkeys(facts, "c1"))
    await poll(known.service)


@pytest.mark.parametrize(("read_by_authz", "asked"), [("v1", []), ("v0", [GET_CLAIMS.subject])])
async def test_code_exchange_uses_the_version_read_with_the_code(
    known: Known, read_by_authz: str, asked: list[str]
) -> None:
    await known.set_up("opaque")
    known.service.authz.version = read_by_authz
    known.versions.broken = True
    code = known.service.issue_code("app", scope=SCOPE)
    before = len(known.bus.called)
    answer = await known.service.redeem(code, "app")

    assert answer.status_code == 200
    assert [one for one in known.bus.called[before:] if one != REDEEM_CODE.subject] == asked


@pytest.mark.parametrize("operation", ["introspect opaque", "userinfo opaque", "refresh opaque"])
async def test_grant_of_the_former_release_reads_its_version(
    clock: FrozenClock,
    bus: MemoryBus,
    versions: MemoryVersions,
    signing_keys: tuple[SigningKey, ...],
    operation: str,
) -> None:
    """A grant that does not name its user stays valid, and its version is read separately."""

    class FormerGrants(MemoryGrants):
        def version_of(self, user_id: str) -> str | None:  # type: ignore[override]
            return None

    service = token_service_in_memory(clock, bus, FormerGrants(versions), signing_keys, versions=versions)
    async with service.running():
        await poll(service)
        known = Known(service, bus, versions)
        await known.set_up("opaque")
        await known.run(operation)
        body, questions = await known.run(operation)
        service.users.people[USER] = UserClaims()
        versions.stored[keys.user(USER)] = "v2"
        locked, _ = await known.run(operation)

    assert (is_active(body), questions) == (True, [])
    assert not is_active(locked)
