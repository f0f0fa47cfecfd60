"""Access tokens, opaque and JWT, at userinfo and introspection."""

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
    """An access token of the client ``app``."""
    service.register("app", access_token_type=kind)
    answer = await service.redeem(service.issue_code("app", **code), "app")
    token: str = answer.json()["access_token"]
    return token


async def test_the_claims_of_a_jwt(token_service: TokenService) -> None:
    """RFC 9068: typ at+jwt, kid, and never anything of the person but the id."""
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


async def test_an_opaque_token_carries_no_claims(token_service: TokenService) -> None:
    """256 random bits behind its grant's id (JW-14)."""
    token = await access_token(token_service, AccessTokenType.OPAQUE)

    assert re.fullmatch(r"[0-9a-f]{2}[\w-]{22}\.[\w-]{43}", token)


@KINDS
async def test_any_changed_character_makes_it_inactive(token_service: TokenService, kind: AccessTokenType) -> None:
    """Flipped, cut, appended, other case: only the exact text is the token (JW-14)."""
    token = await access_token(token_service, kind)
    flipped = [token[:i] + ("A" if token[i] != "A" else "B") + token[i + 1 :] for i in range(len(token))]
    cut = [token[:length] for length in range(1, len(token))]
    others = [token + "A", token + "=", token + ".", token.upper(), token.lower(), token.swapcase()]

    answers = [(await token_service.userinfo(text)).status_code for text in (*flipped, *cut, *others)]

    assert set(answers) == {401}
    assert (await token_service.userinfo(token)).status_code == 200


@KINDS
async def test_expiry_is_checked_on_every_read(
    token_service: TokenService, kind: AccessTokenType, clock: FrozenClock
) -> None:
    """A second before active, at the second and after inactive, though the store still has it (IR-04)."""
    token = await access_token(token_service, kind)
    seen = []
    for step in (3_599, 1, 1):
        clock.tick(step)
        await token_service.receive_keys()
        seen.append((await token_service.userinfo(token)).status_code)

    assert seen == [200, 401, 401]


@KINDS
async def test_the_end_of_the_session_ends_the_token(token_service: TokenService, kind: AccessTokenType) -> None:
    """Inactive when the call that ended the session returns; other sessions go on."""
    token = await access_token(token_service, kind)
    other = await access_token(token_service, kind, session_id="session-2")

    ended = await token_service.bus.call(REVOKE_SESSION, RevokeSession(user_id=USER, session_id="session-1"))

    assert ended.grants == 1
    assert (await token_service.userinfo(token)).status_code == 401
    assert (await token_service.userinfo(other)).status_code == 200


@KINDS
async def test_an_inactive_user_makes_the_token_inactive(token_service: TokenService, kind: AccessTokenType) -> None:
    """Where no version shows that the user is as before, users is asked about every token (TK-11)."""
    token = await access_token(token_service, kind)
    assert (await token_service.userinfo(token)).status_code == 200
    del token_service.users.people[USER]

    assert (await token_service.userinfo(token)).status_code == 401


@KINDS
async def test_an_inactive_client_makes_the_token_inactive(
    token_service: TokenService, kind: AccessTokenType, clock: FrozenClock
) -> None:
    """The client is checked on every use, and cached for less than a second (TK-11)."""
    token = await access_token(token_service, kind)
    del token_service.users.clients["app"]
    clock.tick(1)

    assert (await token_service.userinfo(token)).status_code == 401


@KINDS
async def test_a_lost_store_makes_tokens_inactive(
    token_service: TokenService, clock: FrozenClock, bus: MemoryBus, kind: AccessTokenType
) -> None:
    """An allow-list: a token the store does not have is inactive, whatever its signature."""
    token = await access_token(token_service, kind)
    empty = token_service_in_memory(clock, bus, MemoryGrants(), [])
    empty.keys.signing, empty.keys.published = token_service.keys.signing, token_service.keys.published
    empty.users.people, empty.users.clients = token_service.users.people, token_service.users.clients
    async with empty.running():
        answer = await empty.userinfo(token)

    assert answer.status_code == 401


@KINDS
async def test_an_unreachable_store(token_service: TokenService, grants: MemoryGrants, kind: AccessTokenType) -> None:
    """503, neither active nor inactive (P2)."""
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


@pytest.mark.parametrize("alg", ["none", "None", "NONE", "nOnE", None])
async def test_an_unsigned_jwt_is_refused(token_service: TokenService, alg: str | None) -> None:
    """A JWT without a signature is no access token, whatever its header (JW-01)."""
    token = await access_token(token_service, AccessTokenType.JWT)
    key = token_service.keys.published[1]

    answer = await token_service.userinfo(_forged(token, key, {"alg": alg, "kid": key.kid, "typ": "at+jwt"}))

    assert answer.status_code == 401


@pytest.mark.parametrize(
    "header",
    [
        {"alg": "ES256", "kid": "unknown", "typ": "at+jwt"},
        {"alg": "ES256", "kid": "ES256-1", "typ": "JWT"},
        {"alg": "ES256", "kid": "ES256-1", "typ": "at+jwt", "crit": ["x"]},
        {"alg": "ES256", "typ": "at+jwt"},
        {"alg": "ES256", "kid": 1, "typ": "at+jwt"},
    ],
)
async def test_a_jwt_of_another_key_or_kind_is_refused(token_service: TokenService, header: dict[str, Any]) -> None:
    """Signed by our own key, with our own claims, but not the token that was issued (JW-05, P7)."""
    token = await access_token(token_service, AccessTokenType.JWT)
    kid = header.get("kid")
    forged = _forged(token, token_service.keys.published[1], {**header, "kid": str(kid)} if kid else header)

    assert (await token_service.userinfo(forged)).status_code == 401


async def test_an_id_token_is_no_access_token(token_service: TokenService) -> None:
    """Every artefact is accepted only where its kind belongs (P7)."""
    answer = await token_service.redeem(token_service.issue_code("web"), "web")

    assert (await token_service.userinfo(answer.json()["id_token"])).status_code == 401


@pytest.mark.parametrize(
    "text", ["." * 16_000, "a" * 20_000, "a." * 4_000 + "a", "a.b.c.d.e", "..", ".", "e30.e30.e30"]
)
async def test_nonsense_is_inactive(token_service: TokenService, text: str) -> None:
    """Long, dotted and empty texts are refused before anything is parsed (JW-16, JW-17)."""
    assert (await token_service.userinfo(text)).status_code == 401
