from __future__ import annotations

import re
from typing import Any

import jwt
import pytest
from portico_contracts.token import REVOKE_SESSION, RevokeSession
from portico_contracts.users import AccessTokenType
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import ISSUER, USER, TokenService, token_service_in_memory
from portico_oauth.jose import SigningKey

KINDS = pytest.mark.parametrize("kind", list(AccessTokenType))


async def access_token(service: TokenService, kind: AccessTokenType, **code: Any) -> str:
    service.register("app", access_token_type=kind)
    answer = await service.redeem(service.issue_code("app", **code), "app")
    token: str = answer.json()["access_token"]
    return token


async def test_jwt_has_the_registered_claims(token_service: TokenService) -> None:
    """The JWT has typ at+jwt, a kid, and only the id of the user (RFC 9068)."""
    now = int(token_service.clock.now())

    token = await access_token(token_service, AccessTokenType.JWT, scope=("openid", "email", "profile"))
    claims = jwt.decode(token, options={"verify_signature": False})
    jti = claims.pop("jti")

    assert jwt.get_unverified_header(token) == {"alg": "ES256", "kid": "ES256-1", "typ": "at+jwt"}
    assert re.fullmatch(r"[0-9a-f]{2}[\w-]{22}\.[\w-]{43}", jti)
    assert claims == {
        "iss": ISSUER,
        "sub": USER,
        "aud": ["app", "sibling", "project-1"],
        "exp": now + 3600,
        "iat": now,
        "nbf": now,
        "client_id": "app",
        "scope": "openid email profile",
    }


async def test_opaque_token_carries_no_claims(token_service: TokenService) -> None:
    """An opaque token is 256 random bits after the id of its grant (JW-14)."""
    token = await access_token(token_service, AccessTokenType.OPAQUE)

    assert re.fullmatch(r"[0-9a-f]{2}[\w-]{22}\.[\w-]{43}", token)


@KINDS
async def test_changed_token_is_inactive(token_service: TokenService, kind: AccessTokenType) -> None:
    """A flipped, cut, appended or differently cased token is inactive (JW-14)."""
    token = await access_token(token_service, kind)
    step = 1 if len(token) < 100 else 7
    flipped = [token[:i] + ("A" if token[i] != "A" else "B") + token[i + 1 :] for i in range(0, len(token), step)]
    cut = [token[:length] for length in range(1, len(token), step)]
    others = [token + "A", token + "=", token + ".", token.upper(), token.lower(), token.swapcase()]

    answers = [(await token_service.userinfo(text)).status_code for text in (*flipped, *cut, *others)]

    assert set(answers) == {401}
    assert (await token_service.userinfo(token)).status_code == 200


@KINDS
async def test_expiry_is_checked_on_every_read(
    token_service: TokenService, kind: AccessTokenType, clock: FrozenClock
) -> None:
    """A token is inactive from the second of its expiry, although the store still has it (IR-04)."""
    token = await access_token(token_service, kind)
    seen = []
    for step in (3_599, 1, 1):
        clock.tick(step)
        await token_service.receive_keys()
        seen.append((await token_service.userinfo(token)).status_code)

    assert seen == [200, 401, 401]


@KINDS
async def test_ended_session_ends_the_token(token_service: TokenService, kind: AccessTokenType) -> None:
    """Tokens are inactive when the call that ended the session returns, and other sessions are unaffected."""
    token = await access_token(token_service, kind)
    other = await access_token(token_service, kind, session_id="session-2")

    ended = await token_service.bus.call(REVOKE_SESSION, RevokeSession(user_id=USER, session_id="session-1"))

    assert ended.grants == 1
    assert (await token_service.userinfo(token)).status_code == 401
    assert (await token_service.userinfo(other)).status_code == 200


@KINDS
async def test_inactive_user_makes_the_token_inactive(token_service: TokenService, kind: AccessTokenType) -> None:
    """Unless a version shows that the cached user is current, users is called for every token (TK-11)."""
    token = await access_token(token_service, kind)
    assert (await token_service.userinfo(token)).status_code == 200
    del token_service.users.people[USER]

    assert (await token_service.userinfo(token)).status_code == 401


@KINDS
async def test_inactive_client_makes_the_token_inactive(
    token_service: TokenService, kind: AccessTokenType, clock: FrozenClock
) -> None:
    """The client is checked on every use and cached for less than a second (TK-11)."""
    token = await access_token(token_service, kind)
    del token_service.users.clients["app"]
    clock.tick(1)

    assert (await token_service.userinfo(token)).status_code == 401


@KINDS
async def test_lost_store_makes_tokens_inactive(
    token_service: TokenService, clock: FrozenClock, bus: MemoryBus, kind: AccessTokenType
) -> None:
    """A token that the store does not have is inactive, whatever its signature."""
    token = await access_token(token_service, kind)
    empty = token_service_in_memory(clock, bus, MemoryGrants(), [])
    empty.keys.signing, empty.keys.published = token_service.keys.signing, token_service.keys.published
    empty.users.people, empty.users.clients = token_service.users.people, token_service.users.clients
    async with empty.running():
        answer = await empty.userinfo(token)

    assert answer.status_code == 401


@KINDS
async def test_unreachable_store_is_503(
    token_service: TokenService, grants: MemoryGrants, kind: AccessTokenType
) -> None:
    """An unreachable store makes a token neither active nor inactive (P2)."""
    token = await access_token(token_service, kind)
    grants.down = True

    answer = await token_service.userinfo(token)

    assert (answer.status_code, answer.json()["error"]) == (503, "server_error")
    assert answer.headers["retry-after"] == "1"


def _forged(token: str, key: SigningKey, header: dict[str, Any]) -> str:
    claims = jwt.decode(token, options={"verify_signature": False})
    if header["alg"] is None or str(header["alg"]).lower() == "none":
        head = jwt.utils.base64url_encode(str(header).replace("'", '"').replace("None", "null").encode()).decode()
        return f"{head}.{token.split('.')[1]}."
    return jwt.encode(claims, key.private, algorithm=header["alg"], headers=header)


async def test_unsigned_jwt_is_refused(token_service: TokenService) -> None:
    """A JWT without a signature is not an access token, whatever its header (JW-01)."""
    for alg in ("none", "None", "NONE", "nOnE", None):
        token = await access_token(token_service, AccessTokenType.JWT)
        key = token_service.keys.published[1]

        answer = await token_service.userinfo(_forged(token, key, {"alg": alg, "kid": key.kid, "typ": "at+jwt"}))

        assert answer.status_code == 401, alg


OTHER_HEADERS: list[dict[str, Any]] = [
    {"alg": "ES256", "kid": "unknown", "typ": "at+jwt"},
    {"alg": "ES256", "kid": "ES256-1", "typ": "JWT"},
    {"alg": "ES256", "kid": "ES256-1", "typ": "at+jwt", "crit": ["x"]},
    {"alg": "ES256", "typ": "at+jwt"},
    {"alg": "ES256", "kid": 1, "typ": "at+jwt"},
]


async def test_jwt_of_another_key_or_kind_is_refused(token_service: TokenService) -> None:
    """A JWT signed with our own key but not issued as an access token is refused (JW-05, P7)."""
    for header in OTHER_HEADERS:
        token = await access_token(token_service, AccessTokenType.JWT)
        kid = header.get("kid")
        forged = _forged(token, token_service.keys.published[1], {**header, "kid": str(kid)} if kid else header)

        assert (await token_service.userinfo(forged)).status_code == 401, header


async def test_id_token_is_not_an_access_token(token_service: TokenService) -> None:
    """Every kind of token is accepted only for its own purpose (P7)."""
    answer = await token_service.redeem(token_service.issue_code("web"), "web")

    assert (await token_service.userinfo(answer.json()["id_token"])).status_code == 401


MALFORMED: list[str] = ["." * 16_000, "a" * 20_000, "a." * 4_000 + "a", "a.b.c.d.e", "..", ".", "e30.e30.e30"]


async def test_malformed_token_is_inactive(token_service: TokenService) -> None:
    """Long, dotted and empty texts are refused before parsing (JW-16, JW-17)."""
    for text in MALFORMED:
        assert (await token_service.userinfo(text)).status_code == 401, text
