"""id_tokens from the token endpoint (OIDC Core §2, §3.1.3), checked with PyJWT against the key set."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import jwt
import pytest
from portico_contracts.users import AccessTokenType, User, UserClaims
from portico_fakes.token_service import ISSUER, USER, TokenService

HASHES = {"RS256": hashlib.sha256, "ES256": hashlib.sha256, "EdDSA": hashlib.sha512}
PROTOCOL = {"iss", "sub", "aud", "exp", "iat", "auth_time", "acr", "amr", "azp", "sid", "at_hash"}


def verified(service: TokenService, token: str, alg: str) -> dict[str, Any]:
    """Returns the claims after PyJWT verified signature, issuer, audience and time."""
    keys = jwt.PyJWKSet.from_dict({"keys": [key.public_jwk() for key in service.keys.published]})
    key = keys[jwt.get_unverified_header(token)["kid"]]
    options: Any = {"verify_exp": False, "verify_iat": False, "verify_nbf": False}
    return jwt.decode(token, key, algorithms=[alg], audience="app", issuer=ISSUER, options=options)


async def redeemed(service: TokenService, code: dict[str, Any] | None = None, **client: Any) -> dict[str, str]:
    """Returns the token set for a code of a client with these properties."""
    service.register("app", **client)
    answer = await service.redeem(service.issue_code("app", **(code or {})), "app")
    assert answer.status_code == 200, answer.text
    body: dict[str, str] = answer.json()
    return body


def describe(service: TokenService, claims: dict[str, Any], metadata: dict[str, str] | None = None) -> None:
    """Registers claims of the user at users."""
    user = User(user_id=USER, org_id="org-1", user_name="ada", login_name="ada@example.test", human=True)
    service.users.people[USER] = UserClaims(
        user=user, claims=claims, metadata=metadata or {}, org_name="Analysts", org_domain="example.test"
    )


@pytest.mark.parametrize("alg", ["RS256", "ES256", "EdDSA"])
async def test_every_claim_of_the_id_token(token_service: TokenService, alg: str) -> None:
    """The id_token has exactly the protocol claims, the client's algorithm, and a matching at_hash."""
    now = int(token_service.clock.now())

    tokens = await redeemed(token_service, {"nonce": "n-0S6_WzA2Mj", "auth_time": now - 77}, id_token_alg=alg)
    claims = verified(token_service, tokens["id_token"], alg)
    digest = HASHES[alg](tokens["access_token"].encode()).digest()

    assert jwt.get_unverified_header(tokens["id_token"]) == {"alg": alg, "kid": f"{alg}-1", "typ": "JWT"}
    assert claims == {
        "iss": ISSUER,
        "sub": USER,
        "aud": ["app"],
        "azp": "app",
        "exp": now + 3600,
        "iat": now,
        "auth_time": now - 77,
        "nonce": "n-0S6_WzA2Mj",
        "acr": "urn:portico:acr:pwd",
        "amr": ["pwd"],
        "sid": "session-1",
        "at_hash": base64.urlsafe_b64encode(digest[: len(digest) // 2]).rstrip(b"=").decode(),
    }


async def test_nonce_is_absent_without_one(token_service: TokenService) -> None:
    """Without a requested nonce the claim is absent, neither null nor empty (AZ-12)."""
    tokens = await redeemed(token_service)

    assert set(verified(token_service, tokens["id_token"], "ES256")) == PROTOCOL


async def test_scope_claims_are_left_to_userinfo(token_service: TokenService) -> None:
    """If an access_token is issued, the id_token has no claims of profile, email, phone and address (TK-20)."""
    describe(token_service, {"name": "Ada", "email": "ada@example.test", "address": {"locality": "London"}})

    tokens = await redeemed(token_service, {"scope": ("openid", "profile", "email", "phone", "address")})

    assert set(verified(token_service, tokens["id_token"], "ES256")) == PROTOCOL


async def test_client_may_have_scope_claims_in_the_id_token(token_service: TokenService) -> None:
    """id_token_userinfo_assertion adds the claims of the granted scopes and no others (TK-20)."""
    describe(token_service, {"name": "Ada", "email": "ada@example.test", "email_verified": False}, {"team": "YQ"})
    scope = ("openid", "email", "urn:portico:user:metadata")

    tokens = await redeemed(token_service, {"scope": scope}, id_token_userinfo_assertion=True)
    claims = verified(token_service, tokens["id_token"], "ES256")

    assert set(claims) == PROTOCOL | {"email", "email_verified", "urn:portico:user:metadata"}
    assert (claims["email_verified"], claims["urn:portico:user:metadata"]) == (False, {"team": "YQ"})


async def test_single_claims_can_be_requested(token_service: TokenService) -> None:
    """The id_token member of the claims parameter requests known claims, and unknown ones are ignored (OIDC Core
    §5.5).
    """
    describe(token_service, {"name": "Ada", "email": "ada@example.test", "locale": "en"})
    asked = {"id_token": {"name": {"essential": True}, "acr": None, "sub": {"value": "x"}, "shoe_size": None}}

    tokens = await redeemed(token_service, {"claims": json.dumps(asked), "scope": ("openid", "email")})
    claims = verified(token_service, tokens["id_token"], "ES256")

    assert set(claims) == PROTOCOL | {"name"}
    assert (claims["name"], claims["sub"]) == ("Ada", USER)


async def test_stored_data_overrides_no_protocol_claim(token_service: TokenService) -> None:
    """Claims, metadata and scopes named like protocol claims change nothing (JW-20)."""
    hostile = dict.fromkeys(("iss", "sub", "aud", "azp", "exp", "iat", "scope", "client_id", "active", "roles"), "evil")
    describe(token_service, {**hostile, "name": "Ada"}, hostile)
    scope = ("openid", "profile", "urn:portico:user:metadata", *hostile)
    claims_parameter = json.dumps({"id_token": dict.fromkeys(hostile), "userinfo": dict.fromkeys(hostile)})

    tokens = await redeemed(
        token_service, {"scope": scope, "claims": claims_parameter}, id_token_userinfo_assertion=True,
        access_token_type=AccessTokenType.JWT,
    )  # fmt: skip
    id_token = verified(token_service, tokens["id_token"], "ES256")
    access_token = verified(token_service, tokens["access_token"], "ES256")
    userinfo = (await token_service.userinfo(tokens["access_token"])).json()

    assert set(id_token) == PROTOCOL | {"name", "urn:portico:user:metadata"}
    assert (id_token["iss"], id_token["sub"], id_token["azp"]) == (ISSUER, USER, "app")
    assert (access_token["iss"], access_token["sub"], access_token["client_id"]) == (ISSUER, USER, "app")
    assert set(userinfo) == {"sub", "name", "urn:portico:user:metadata"}
    assert userinfo["sub"] == USER


async def test_client_is_the_only_audience(token_service: TokenService) -> None:
    """A project scope extends the audience of the access token, never that of the id_token (OIDC Core §3.1.3.7)."""
    scope = ("openid", "urn:portico:project:id:portico:aud")

    client = {"access_token_type": AccessTokenType.JWT, "management_access": True}
    tokens = await redeemed(token_service, {"scope": scope}, **client)
    id_token, access_token = (verified(token_service, tokens[kind], "ES256") for kind in ("id_token", "access_token"))

    assert id_token["aud"] == ["app"]
    assert access_token["aud"] == ["app", "sibling", "project-1", "portico"]
