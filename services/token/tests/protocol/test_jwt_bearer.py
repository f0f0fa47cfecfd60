"""The JWT profile grant (RFC 7523 §2.1), without the rules of the assertion itself."""

from __future__ import annotations

from typing import Any

import httpx
import jwt
import pytest
from portico_contracts.users import AccessTokenType
from portico_fakes.assertions import ASSERTION_TYPE, claims_of, registered, sign
from portico_fakes.token_service import ISSUER, SECRET, TokenService
from portico_harness.rows import row
from portico_oauth.jose import SigningKey

KEY = SigningKey.generate("k1", "ES256")
KINDS = pytest.mark.parametrize("kind", list(AccessTokenType))
AUD = "urn:portico:project:id:{}:aud"


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    """With the service user ``robot``, who has a key."""
    token_service.register_service_user("robot", keys=(registered(KEY),))
    return token_service


def assertion(service: TokenService, subject: str = "robot") -> str:
    return sign(KEY, claims_of(subject, ISSUER, service.clock.now()))


def refused(answer: httpx.Response, status: int, error: str) -> bool:
    """Checks for this error with no-store."""
    return (answer.status_code, answer.json()["error"], answer.headers["cache-control"]) == (status, error, "no-store")


def claims_in(token: str) -> dict[str, Any]:
    """Returns the claims of a JWT without verification."""
    claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return claims


@KINDS
async def test_response_members_are_exact(service: TokenService, kind: AccessTokenType) -> None:
    """There is always an id_token and never a refresh token (TK-20, TK-21)."""
    for scope in ("openid offline_access", "email"):
        with row(scope):
            service.register_service_user("robot", keys=(registered(KEY),), access_token_type=kind)

            answer = await service.jwt_bearer(assertion(service), scope=scope)
            body = answer.json()

            assert set(body) == {"access_token", "token_type", "expires_in", "scope", "id_token"}
            assert (body["token_type"], body["expires_in"]) == ("Bearer", 3600)
            assert body["scope"] == scope.split(" ", maxsplit=1)[0]
            assert answer.headers["cache-control"] == "no-store"


async def test_every_claim_of_the_id_token(service: TokenService) -> None:
    """The auth_time is the present, there is no session, and the service user is the only audience (OIDC Core
    §3.1.3.7).
    """
    now = int(service.clock.now())
    service.users.audiences["p1"] = ("api", "p1")

    body = (await service.jwt_bearer(assertion(service), scope=f"openid email {AUD.format('p1')}")).json()
    claims = claims_in(body["id_token"])
    at_hash = claims.pop("at_hash")

    assert jwt.get_unverified_header(body["id_token"]) == {"alg": "RS256", "kid": "RS256-1", "typ": "JWT"}
    assert len(at_hash) == 22
    assert claims == {
        "iss": ISSUER,
        "sub": "robot",
        "aud": ["robot"],
        "azp": "robot",
        "exp": now + 3600,
        "iat": now,
        "auth_time": now,
    }


@KINDS
async def test_userinfo_accepts_it(service: TokenService, kind: AccessTokenType) -> None:
    """With openid the token is accepted at userinfo for the service user (IR-09)."""
    service.register_service_user("robot", keys=(registered(KEY),), access_token_type=kind)
    with_openid, without = [
        (await service.jwt_bearer(assertion(service), scope=scope)).json()["access_token"]
        for scope in ("openid urn:portico:user:resourceowner", "email")
    ]
    response = await service.userinfo(with_openid)

    assert response.json()["sub"] == "robot"
    assert response.json()["urn:portico:user:resourceowner:id"] == "org-1"
    assert (await service.userinfo(without)).status_code == 403


@pytest.mark.parametrize("form", [{}, {"assertion": ""}])
async def test_assertion_is_required(service: TokenService, form: dict[str, str]) -> None:
    answer = await service.token(
        {"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "scope": "openid", **form}
    )

    assert refused(answer, 400, "invalid_request")


async def test_scope_is_required(service: TokenService) -> None:
    """A missing scope is an invalid_request, and a malformed one an invalid_scope (TK-13)."""
    for scope, error in (
        ("", "invalid_request"),
        ("nope", "invalid_scope"),
        (" ", "invalid_request"),
        (AUD.format("x"), "invalid_scope"),
    ):
        with row(scope, error):
            assert refused(await service.jwt_bearer(assertion(service), scope=scope), 400, error)


@pytest.mark.parametrize("client_id", ["another", "robot-name", "placeholder"])
async def test_unknown_client_id_is_ignored(service: TokenService, client_id: str) -> None:
    """Some SDKs send a placeholder, and the assertion alone identifies the service user."""
    answer = await service.token(
        {
            "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
            "scope": "openid",
            "assertion": assertion(service),
            "client_id": client_id,
        }
    )

    assert claims_in(answer.json()["id_token"])["sub"] == "robot"


async def test_assertion_is_the_only_authentication(service: TokenService) -> None:
    """Additional credentials are a second mechanism and an invalid_request (TK-14)."""
    form = {"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "scope": "openid"}
    form["assertion"] = assertion(service)
    beside: list[dict[str, str]] = [
        {"client_id": "robot", "client_secret": SECRET},
        {"client_assertion": form["assertion"], "client_assertion_type": ASSERTION_TYPE},
        {"client_assertion_type": ASSERTION_TYPE},
    ]
    answers = [await service.token({**form, **more}) for more in beside]
    answers.append(await service.token(form, basic=("robot", SECRET)))

    assert all(refused(answer, 400, "invalid_request") for answer in answers)
    assert (await service.token({**form, "client_id": "robot"})).status_code == 200


async def test_issuer_must_be_a_service_users_id(service: TokenService) -> None:
    """An unknown issuer, a user name, an application and an end user get the same invalid_grant."""
    for subject in ("nobody", "robot-name", "web", "user-1"):
        with row(subject):
            wrong = await service.jwt_bearer(sign(SigningKey.generate("k1", "ES256"), claims_of("robot", ISSUER, 0)))

            answer = await service.jwt_bearer(assertion(service, subject))

            assert refused(answer, 400, "invalid_grant")
            assert answer.content == wrong.content


async def test_inactive_service_user_is_refused(service: TokenService) -> None:
    """An inactive service user is refused at once after the event (TK-11)."""
    first = await service.jwt_bearer(assertion(service))
    del service.users.service_users["robot"]
    await service.publish_user_changed("robot")

    assert first.status_code == 200
    assert refused(await service.jwt_bearer(assertion(service)), 400, "invalid_grant")


async def test_service_user_without_keys_is_refused(service: TokenService) -> None:
    """The secret of a service user is for client_credentials only (JW-08)."""
    service.register_service_user("robot")

    assert refused(await service.jwt_bearer(assertion(service)), 400, "invalid_grant")
