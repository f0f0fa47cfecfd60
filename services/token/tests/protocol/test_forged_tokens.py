"""JWTs that differ from the issued one: header, key, claims (JW-01 to JW-12, P7)."""

from __future__ import annotations

from typing import Any

import jwt
import msgspec
import pytest
from portico_contracts.users import AccessTokenType
from portico_fakes.service_user_jwt import ROBOT, service_user_jwt
from portico_fakes.token_service import TokenService
from portico_oauth.jose import SigningKey
from portico_oauth.opaque import b64url

INACTIVE = b'{"active":false}'
SIGNED = ("jwt", "service user")
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


@pytest.fixture(params=["first", "later"])
async def service(request: pytest.FixtureRequest, token_service: TokenService) -> TokenService:
    """With an API in the audience of every token here, and a service user; as the first token of all, and as a
    later one whose header the service has cached.
    """
    token_service.register("api")
    token_service.register_service_user(ROBOT)
    if request.param == "later":
        for make in SIGNED:
            assert (await token_service.introspect(await made(token_service, make), "api")).json()["active"]
    return token_service


async def made(service: TokenService, make: str) -> str:
    """Returns a JWT of a grant, or of a service user."""
    if make == "service user":
        return service_user_jwt(service)
    service.register("app", access_token_type=AccessTokenType.JWT)
    token: str = (await service.redeem(service.issue_code("app"), "app")).json()["access_token"]
    return token


def _resigned(token: str, key: SigningKey, header: dict[str, Any]) -> str:
    head = b64url(msgspec.json.encode(header))
    if header.get("alg") in ("RS256", "ES256", "EdDSA"):
        claims = jwt.decode(token, options={"verify_signature": False})
        return jwt.encode(claims, key.private, algorithm=header["alg"], headers=header)
    return f"{head}.{token.split('.')[1]}."


HEADERS: list[dict[str, Any]] = [
    {"alg": "none", "kid": "ES256-1", "typ": "at+jwt"},
    {"alg": "None", "kid": "ES256-1", "typ": "at+jwt"},
    {"alg": "NONE", "kid": "ES256-1", "typ": "at+jwt"},
    {"alg": "nOnE", "kid": "ES256-1", "typ": "at+jwt"},
    {"alg": None, "kid": "ES256-1", "typ": "at+jwt"},
    {"kid": "ES256-1", "typ": "at+jwt"},
    {"alg": "ES256", "kid": "ES256-1", "typ": "at+jwt", "crit": ["x"]},
    {"alg": "ES256", "kid": "ES256-1", "typ": "at+jwt", "crit": ["b64"], "b64": False},
    {"alg": "ES256", "kid": "ES256-1", "typ": "JWT"},
    {"alg": "ES256", "kid": "ES256-1"},
    {"alg": "ES256", "kid": "RS256-1", "typ": "at+jwt"},
    {"alg": "ES256", "kid": "", "typ": "at+jwt"},
    {"alg": "ES256", "typ": "at+jwt"},
]


@pytest.mark.parametrize("make", SIGNED)
async def test_forged_header_is_refused(service: TokenService, make: str) -> None:
    """An alg of none, blank signatures, crit, another type and a missing or wrong key are refused (JW-01, JW-05,
    P7).
    """
    key = next(key for key in service.keys.published if key.alg == "ES256")
    token = await made(service, make)
    accepted = [
        header
        for header in HEADERS
        if (await service.introspect(_resigned(token, key, header), "api")).content != INACTIVE
    ]

    assert accepted == []


async def test_public_key_is_not_a_shared_secret(service: TokenService) -> None:
    """The key determines the algorithm, never the token (JW-02)."""
    key = next(key for key in service.keys.published if key.alg == "RS256")
    claims = jwt.decode(service_user_jwt(service), options={"verify_signature": False})
    secret = key.public_jwk()["n"]
    header = {"kid": key.kid, "typ": "at+jwt"}

    accepted = []
    for alg in ("HS256", "HS384", "HS512"):
        forged = jwt.encode(claims, secret, algorithm=alg, headers=header)
        accepted += [alg] if (await service.introspect(forged, "api")).content != INACTIVE else []

    assert accepted == []


MALFORMED: list[dict[str, Any]] = [
    {"iss": "https://evil.test"},
    {"iss": "https://id.example.test/"},
    {"iss": ["https://id.example.test"]},
    {"sub": "robot-2"},
    {"sub": None},
    {"aud": "api"},
    {"exp": "9999999999"},
    {"exp": 1e308},
    {"jti": "x"},
    {"jti": None},
    {"scope": ["openid"]},
    {"client_id": None},
]


async def test_malformed_claims_are_refused(service: TokenService) -> None:
    """Whatever key signed the token, issuer, types and the bucket of the id must be right (JW-06, JW-12)."""
    service.register_service_user("robot-2")
    accepted = [
        claims
        for claims in MALFORMED
        if (await service.introspect(service_user_jwt(service, **claims), "api")).content != INACTIVE
    ]

    assert accepted == []


@pytest.mark.parametrize("make", SIGNED)
async def test_changed_part_is_refused(service: TokenService, make: str) -> None:
    """Other claims, another signature, and a second spelling of the same signature are refused (JW-01, JW-14)."""
    head, body, tail = (await made(service, make)).split(".")
    claims = jwt.decode(f"{head}.{body}.{tail}", options={"verify_signature": False})
    other = b64url(msgspec.json.encode({**claims, "scope": "openid admin"}))
    last = tail[-1]
    spelled = tail[:-1] + ALPHABET[ALPHABET.index(last) ^ 1]

    forged = [
        f"{head}.{other}.{tail}",
        f"{head}.{body}.{tail[::-1]}",
        f"{head}.{body}.{spelled}",
        f"{head}.{body}.",
        head,
    ]

    assert [(await service.introspect(token, "api")).content for token in forged] == [INACTIVE] * 5


async def test_wrong_key_is_refused(service: TokenService) -> None:
    forged = [service_user_jwt(service, key=SigningKey.generate(kid, "ES256")) for kid in ("ES256-1", "theirs")]

    assert [(await service.introspect(token, "api")).content for token in forged] == [INACTIVE] * 2


async def test_jti_is_not_a_token(service: TokenService) -> None:
    """APIs log the jti, so it is not accepted in place of the token (P7)."""
    token = await made(service, "jwt")
    jti = (await service.introspect(token, "api")).json()["jti"]

    assert (await service.introspect(jti, "api")).content == INACTIVE
    assert (await service.userinfo(jti)).status_code == 401
