"""Every token that is not active for the caller gets the same bytes and headers (IR-01, P9)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from portico_contracts.events import KEY_REVOKED, KeyEvent
from portico_contracts.token import REVOKE_SESSION, REVOKE_USER, RevokeSession, RevokeUser
from portico_contracts.users import AccessTokenType, UserClaims
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.memory_revocations import MemoryRevocations
from portico_fakes.service_user_jwt import ROBOT, service_user_jwt
from portico_fakes.token_service import USER, TokenService, token_service_in_memory

INACTIVE = b'{"active":false}'
KINDS = pytest.mark.parametrize("kind", list(AccessTokenType))


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    """With an API in the audience of every token here, an unrelated client, and a service user."""
    token_service.register("api")
    token_service.register("outsider", project_id="project-9", audience=("outsider", "project-9"))
    token_service.register_service_user(ROBOT)
    return token_service


async def tokens_of(service: TokenService, kind: AccessTokenType, **code: Any) -> dict[str, str]:
    service.register("app", access_token_type=kind)
    answer = await service.redeem(service.issue_code("app", **code), "app")
    tokens: dict[str, str] = answer.json()
    return tokens


def appearance(answer: httpx.Response) -> tuple[int, bytes, dict[str, str]]:
    """Returns the whole response without its request id."""
    headers = {name: value for name, value in answer.headers.items() if name != "x-request-id"}
    return answer.status_code, answer.content, headers


async def test_every_inactive_response_is_the_same(service: TokenService, clock: FrozenClock) -> None:
    """Unknown, foreign, expired, revoked and malformed tokens, refresh tokens, id_tokens and codes get one response."""
    opaque = await tokens_of(service, AccessTokenType.OPAQUE)
    signed = await tokens_of(service, AccessTokenType.JWT)
    robot = service_user_jwt(service)
    live = [opaque["access_token"], signed["access_token"], robot]
    revoked = [(await tokens_of(service, kind))["access_token"] for kind in AccessTokenType]
    for token in revoked:
        await service.revoke(token, "app")
    foreign = [await service.introspect(token, "outsider") for token in live]
    others = [
        await service.introspect(token, "api")
        for token in (
            *revoked,
            "unknown",
            "a.b.c",
            "é",
            "." * 100,
            opaque["access_token"][:-1],
            signed["access_token"] + "x",
            opaque["id_token"],
            service.issue_code("app"),
            service_user_jwt(service, exp=int(clock.now())),
        )
    ]
    active = [await service.introspect(token, "api") for token in live]
    clock.tick(3_600)
    await service.receive_keys()
    expired = [await service.introspect(token, "api") for token in live]

    assert [answer.json()["active"] for answer in active] == [True] * 3
    assert len({str(appearance(answer)) for answer in (*foreign, *others, *expired)}) == 1
    assert appearance(others[0])[:2] == (200, INACTIVE)


async def test_refresh_token_is_not_active(service: TokenService) -> None:
    """A refresh token is not an access token for any caller (P7)."""
    service.register("app", grant_types=("authorization_code", "refresh_token"))
    answer = await service.redeem(service.issue_code("app", scope=("openid", "offline_access")), "app")
    refresh = answer.json()["refresh_token"]

    assert (await service.introspect(refresh, "app")).content == INACTIVE
    assert (await service.userinfo(refresh)).status_code == 401


async def test_no_response_is_cached_for_another_caller(service: TokenService) -> None:
    """Callers inside and outside the audience, and after the revocation, get the right response each (IR-06)."""
    token = (await tokens_of(service, AccessTokenType.OPAQUE))["access_token"]
    first = await service.introspect(token, "api")
    second = await service.introspect(token, "outsider")
    await service.revoke(token, "app")
    third = await service.introspect(token, "api")

    assert [answer.json()["active"] for answer in (first, second, third)] == [True, False, False]
    assert second.content == third.content == INACTIVE


@pytest.mark.parametrize("make", ["opaque", "jwt", "service user"])
async def test_expiry_is_checked_on_every_read(service: TokenService, clock: FrozenClock, make: str) -> None:
    """The token is inactive from the second of its expiry, although the store still has it (IR-04)."""
    token = await made(service, make)
    seen = []
    for step in (3_599, 1, 1):
        clock.tick(step)
        await service.receive_keys()
        seen.append((await service.introspect(token, "api")).json()["active"])

    assert seen == [True, False, False]


async def made(service: TokenService, make: str) -> str:
    """Returns an access token of one of three kinds."""
    if make == "service user":
        return service_user_jwt(service)
    return (await tokens_of(service, AccessTokenType(make)))["access_token"]


async def _inactive_user(service: TokenService) -> None:
    service.users.people[USER] = service.users.people[ROBOT] = UserClaims()
    for user_id in (USER, ROBOT):
        await service.publish_user_changed(user_id)


async def _revoked_user(service: TokenService) -> None:
    for user_id in (USER, ROBOT):
        await service.bus.call(REVOKE_USER, RevokeUser(user_id=user_id))


async def _key_revoked(service: TokenService) -> None:
    for key in service.keys.published:
        event = KeyEvent(event_id=key.kid, kid=key.kid, at=service.clock.now())
        await service.bus.publish(KEY_REVOKED, event, event_id=key.kid)


async def _inactive_client(service: TokenService) -> None:
    service.users.clients.pop("app", None)
    await service.publish_app_changed()


async def _session_over(service: TokenService) -> None:
    await service.bus.call(REVOKE_SESSION, RevokeSession(user_id=USER, session_id="session-1"))


EVERYBODY, PEOPLE, SIGNED = {"opaque", "jwt", "service user"}, {"opaque", "jwt"}, {"jwt", "service user"}
ENDED_BY: dict[str, tuple[Callable[[TokenService], Awaitable[None]], set[str]]] = {
    "the user is not active any more": (_inactive_user, EVERYBODY),
    "the user was ended": (_revoked_user, EVERYBODY),
    "the key was revoked": (_key_revoked, SIGNED),
    "the client is not active any more": (_inactive_client, PEOPLE),
    "the session is over": (_session_over, PEOPLE),
}


@pytest.mark.parametrize("make", sorted(EVERYBODY))
@pytest.mark.parametrize("why", ENDED_BY)
async def test_state_is_checked_on_every_use(service: TokenService, make: str, why: str) -> None:
    """Tokens end with their user, organization, client, key or session (TK-11, JW-20, IR-16)."""
    end, ended = ENDED_BY[why]
    token = await made(service, make)
    before = (await service.introspect(token, "api")).json()["active"]
    await end(service)

    assert before
    assert (await service.introspect(token, "api")).json()["active"] is (make not in ended)


@pytest.mark.parametrize("make", sorted(EVERYBODY))
async def test_without_events_state_is_at_most_a_second_old(
    service: TokenService, clock: FrozenClock, make: str
) -> None:
    """A missed event delays a change by a second (TK-11)."""
    token = await made(service, make)
    assert (await service.introspect(token, "api")).json()["active"]
    service.users.people.clear()
    clock.tick(1)

    assert (await service.introspect(token, "api")).content == INACTIVE


@pytest.mark.parametrize("make", sorted(EVERYBODY))
async def test_emptied_store_makes_everything_inactive(
    service: TokenService, clock: FrozenClock, bus: MemoryBus, make: str
) -> None:
    """Grants and revocations are lost, so no token issued before is active."""
    token = await made(service, make)
    grants = MemoryGrants()
    lost = MemoryRevocations(grants, clock)
    lost.lose_everything()
    empty = token_service_in_memory(clock, bus, grants, [], lost)
    empty.keys.signing, empty.keys.published = service.keys.signing, service.keys.published
    empty.users.people, empty.users.clients = service.users.people, service.users.clients
    async with empty.running():
        answer = await empty.introspect(token, "api")

    assert answer.content == INACTIVE


@pytest.mark.parametrize("make", sorted(EVERYBODY))
async def test_undecidable_token_is_503(service: TokenService, grants: MemoryGrants, make: str) -> None:
    """An undecidable token gets 503 with Retry-After, never a guess (P2)."""
    token = await made(service, make)
    grants.down = True

    answer = await service.introspect(token, "api")

    assert (answer.status_code, answer.json()["error"]) == (503, "server_error")
    assert answer.headers["retry-after"] == "1"


MALFORMED: list[str] = [
    "." * 16_000,
    "a" * 20_000,
    "a." * 4_000 + "a",
    "e30.e30.e30",
    "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..x.y.z",
    "eyJhbGciOiJQQkVTMi1IUzI1NitBMTI4S1ciLCJwMmMiOjIxNDc0ODM2NDd9.a.b.c.d",
    "\x00",
    " ",
    "🗝",
    "[" * 8_000 + "." + "]" * 4_000 + ".x",
]


async def test_malformed_token_is_inactive(service: TokenService) -> None:
    """Long, dotted, encrypted and empty texts are refused before parsing (JW-16, JW-17)."""
    for text in MALFORMED:
        answer = await service.introspect(text, "api")

        is_malformed = answer.status_code == 400 and answer.json()["error"] == "invalid_request"
        assert is_malformed or answer.content == INACTIVE, text


@pytest.mark.parametrize("make", sorted(EVERYBODY))
async def test_changed_token_is_inactive(service: TokenService, make: str) -> None:
    """A flipped, cut, appended or differently cased token is inactive (JW-14)."""
    token = await made(service, make)
    step = 1 if len(token) < 100 else 7
    flipped = [token[:i] + ("A" if token[i] != "A" else "B") + token[i + 1 :] for i in range(0, len(token), step)]
    cut = [token[:length] for length in range(1, len(token), step)]
    others = [token + "A", token + "=", token + ".", token + " ", " " + token, token.upper(), token.lower()]

    answers = {(await service.introspect(text, "api")).content for text in (*flipped, *cut, *others)}

    assert answers == {INACTIVE}
    assert (await service.introspect(token, "api")).json()["active"]


async def test_oversized_body_is_refused(service: TokenService) -> None:
    """A megabyte of dots is refused before parsing (JW-16)."""
    answer = await service.introspect("." * 1_000_000, "api")

    assert answer.status_code == 413
