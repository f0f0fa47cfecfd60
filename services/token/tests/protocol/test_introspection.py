"""The introspection endpoint (RFC 7662)."""

from __future__ import annotations

from typing import Any

import jwt
import pytest
from portico_contracts.http import INTROSPECT
from portico_contracts.users import AccessTokenType, AuthMethod, ClientKind, User, UserClaims
from portico_fakes.assertions import ASSERTION_TYPE, claims_of, registered, sign
from portico_fakes.service_user_jwt import ROBOT, service_user_jwt
from portico_fakes.token_service import ISSUER, SECRET, USER, TokenService, basic_header
from portico_harness.rows import row
from portico_oauth.jose import SigningKey
from portico_token.domain.origin import Origin
from portico_token.domain.token_text import stateless_id_in

INACTIVE = b'{"active":false}'
KINDS = pytest.mark.parametrize("kind", list(AccessTokenType))
RESERVED = ("active", "aud", "client_id", "exp", "iat", "iss", "jti", "nbf", "scope", "sub", "token_type", "username")
ADA = User(user_id=USER, org_id="org-1", user_name="ada", login_name="ada@example.test", human=True)


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    """With an API in the audience of the application, and a service user."""
    token_service.register("api", kind=ClientKind.API, grant_types=(), redirect_uris=())
    token_service.register_service_user(ROBOT)
    return token_service


async def token_of(service: TokenService, kind: AccessTokenType = AccessTokenType.OPAQUE, **code: Any) -> str:
    service.register("app", access_token_type=kind)
    answer = await service.redeem(service.issue_code("app", **code), "app")
    token: str = answer.json()["access_token"]
    return token


async def introspected(service: TokenService, token: str, caller: str = "api") -> dict[str, Any]:
    answer = await service.introspect(token, caller)
    response: dict[str, Any] = answer.json()
    return response


async def test_missing_token_is_invalid_request(service: TokenService) -> None:
    headers = {"Authorization": basic_header("api", SECRET)}
    answers = [await service.http.post(INTROSPECT, data=data, headers=headers) for data in ({"x": "y"}, {"token": ""})]

    assert [(answer.status_code, answer.json()["error"]) for answer in answers] == [(400, "invalid_request")] * 2
    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}


async def test_unauthenticated_client_is_invalid_client(service: TokenService) -> None:
    """The response is 401 as JSON, with a challenge if the header was used, whether or not the token is active."""
    for basic in (None, ("api", "wrong"), ("nobody", SECRET), ("api", "")):
        with row(basic):
            good = await token_of(service)

            answers = [await service.about(INTROSPECT, token, basic=basic) for token in (good, "bad")]

            assert [(answer.status_code, answer.json()["error"]) for answer in answers] == [(401, "invalid_client")] * 2
            assert all(("www-authenticate" in answer.headers) is (basic is not None) for answer in answers)
            assert answers[0].content == answers[1].content


@pytest.mark.parametrize("method", [AuthMethod.CLIENT_SECRET_POST, AuthMethod.NONE])
async def test_methods_not_allowed_for_introspection(service: TokenService, method: AuthMethod) -> None:
    """A secret in the body and a bare client id are refused even if registered (TK-16)."""
    token = await token_of(service)
    service.register("other", method)
    form: dict[str, Any] = {
        "client_id": "other",
        **({"client_secret": SECRET} if method is AuthMethod.CLIENT_SECRET_POST else {}),
    }

    answer = await service.about(INTROSPECT, token, **form)

    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")


async def test_credentials_in_header_and_body_are_refused(service: TokenService) -> None:
    """Equal credentials are refused as well (RFC 6749 §2.3.1), although lua-resty-openidc 1.8.0 sends them with
    client_secret_basic.
    """
    body = {"client_id": "api", "client_secret": SECRET}
    answer = await service.about(INTROSPECT, await token_of(service), basic=("api", SECRET), **body)

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
    assert "more than one client authentication mechanism" in answer.json()["error_description"]


async def test_assertion_of_lua_resty_openidc_is_accepted(service: TokenService) -> None:
    """Its private_key_jwt without client_secret sends client_id and an assertion for the endpoint."""
    key = SigningKey.generate("k1", "RS256")
    fields: dict[str, Any] = {"kind": ClientKind.API, "grant_types": (), "keys": (registered(key),)}
    service.register("api", AuthMethod.PRIVATE_KEY_JWT, redirect_uris=(), **fields)
    token = await token_of(service)
    claims = claims_of("api", ISSUER + INTROSPECT, service.clock.now())
    asserted: dict[str, Any] = {
        "client_assertion_type": ASSERTION_TYPE,
        "client_assertion": sign(key, claims, typ="JWT"),
    }
    answer = await service.about(INTROSPECT, token, client_id="api", **asserted)

    assert (answer.status_code, answer.json()["active"]) == (200, True)


@KINDS
async def test_active_token_has_the_members_of_the_table(service: TokenService, kind: AccessTokenType) -> None:
    """All members have their JSON types, and user claims appear only if a scope requests them."""
    token = await token_of(service, kind)
    now = int(service.clock.now())

    response = await introspected(service, token)
    jti = response.pop("jti")

    assert response == {
        "active": True,
        "aud": ["app", "sibling", "project-1"],
        "client_id": "app",
        "exp": now + 3_600,
        "iat": now,
        "iss": ISSUER,
        "nbf": now,
        "scope": "openid",
        "sub": USER,
        "token_type": "Bearer",
        "username": "ada@example.test",
    }
    assert isinstance(jti, str)
    assert token not in jti


async def test_jti_is_stable_and_unique(service: TokenService) -> None:
    """The jti is the JWT's own, or constant and unique for an opaque token."""
    signed = await token_of(service, AccessTokenType.JWT)
    opaque = [await token_of(service), await token_of(service)]

    ids = [(await introspected(service, token))["jti"] for token in (*opaque, opaque[0])]

    assert (await introspected(service, signed))["jti"] == jwt.decode(signed, options={"verify_signature": False})[
        "jti"
    ]
    assert (ids[0] == ids[2], ids[0] == ids[1]) == (True, False)


async def test_user_claims_by_scope(service: TokenService) -> None:
    service.users.people[USER] = UserClaims(
        user=ADA,
        claims={"name": "Ada", "email": "a@example.test", "email_verified": False, "phone_number": "+441"},
        metadata={"team": "YQ"},
        org_name="Analysts",
        org_domain="example.test",
    )
    scope = ("openid", "profile", "email", "urn:portico:user:metadata", "urn:portico:user:resourceowner")
    response = await introspected(service, await token_of(service, scope=scope))

    assert {name: value for name, value in response.items() if name not in RESERVED} == {
        "name": "Ada",
        "email": "a@example.test",
        "email_verified": False,
        "urn:portico:user:metadata": {"team": "YQ"},
        "urn:portico:user:resourceowner:id": "org-1",
        "urn:portico:user:resourceowner:name": "Analysts",
        "urn:portico:user:resourceowner:primary_domain": "example.test",
    }


async def test_stored_data_overrides_no_member(service: TokenService) -> None:
    """Claims and metadata named like reserved members change none of them (JW-20)."""
    scope = ("openid", "profile", "email", "phone", "address", "urn:portico:user:metadata")
    token = await token_of(service, scope=scope)
    plain = await introspected(service, token)
    forged: dict[str, Any] = dict.fromkeys((*RESERVED, "azp", "roles"), "forged")
    service.users.people[USER] = UserClaims(user=ADA, claims=forged, metadata=forged)
    await service.publish_user_changed()

    response = await introspected(service, token)
    metadata = response.pop("urn:portico:user:metadata")

    assert response == plain
    assert metadata == forged


@KINDS
@pytest.mark.parametrize("asserted", [True, False])
async def test_roles_are_those_of_the_callers_project(
    service: TokenService, kind: AccessTokenType, asserted: bool
) -> None:
    """Roles are requested by scope or by registration, and never those of another project."""
    scope = ("openid", "urn:portico:project:id:project-2:aud", *(() if asserted else ("urn:portico:project:roles",)))
    service.users.roles[USER, "project-1"] = {"reader": {"org-1": "example.test"}}
    service.users.roles[USER, "project-2"] = {"admin": {"org-1": "example.test"}}
    service.users.audiences["project-2"] = ("project-2",)
    service.register("foreign-api", project_id="project-2", audience=("foreign-api", "project-2"))
    service.register("app", access_token_type=kind, access_token_roles=asserted)
    token = (await service.redeem(service.issue_code("app", scope=scope), "app")).json()["access_token"]

    response = {caller: await introspected(service, token, caller) for caller in ("api", "foreign-api")}

    assert {name: value for name, value in response["api"].items() if name not in RESERVED} == {
        "urn:portico:project:roles": {"reader": {"org-1": "example.test"}},
        "urn:portico:project:project-1:roles": {"reader": {"org-1": "example.test"}},
    }
    assert {name: value for name, value in response["foreign-api"].items() if name not in RESERVED} == {
        "urn:portico:project:roles": {"admin": {"org-1": "example.test"}},
        "urn:portico:project:project-2:roles": {"admin": {"org-1": "example.test"}},
    }


async def test_project_may_assert_roles_without_scope(service: TokenService) -> None:
    service.users.roles[USER, "project-1"] = {"reader": {"org-1": "example.test"}}
    service.register("app", userinfo_roles=True)
    token = (await service.redeem(service.issue_code("app"), "app")).json()["access_token"]

    assert (await introspected(service, token, "api"))["urn:portico:project:roles"] == {
        "reader": {"org-1": "example.test"}
    }


async def test_unrequested_roles_are_absent(service: TokenService) -> None:
    service.users.roles[USER, "project-1"] = {"reader": {"org-1": "example.test"}}

    assert set(await introspected(service, await token_of(service))) == set(RESERVED)


@pytest.mark.parametrize("origin", [Origin.CLIENT_CREDENTIALS, Origin.JWT_PROFILE])
async def test_jwt_of_a_service_user_needs_no_grant(service: TokenService, origin: Origin) -> None:
    """The response has the token's claims and the name of the service user."""
    now = int(service.clock.now())

    response = await introspected(service, service_user_jwt(service, origin, scope="openid profile"))
    jti = response.pop("jti")

    assert stateless_id_in(jti)
    assert response == {
        "active": True,
        "aud": ["api", "project-1"],
        "client_id": ROBOT,
        "exp": now + 3_600,
        "iat": now,
        "iss": ISSUER,
        "nbf": now,
        "scope": "openid profile",
        "sub": ROBOT,
        "token_type": "Bearer",
        "username": "robot-1-name@example.test",
    }


@KINDS
async def test_caller_is_in_the_audience(service: TokenService, kind: AccessTokenType) -> None:
    """A client is in the audience by its own id or its project's, even if it was registered after the token was
    issued (IR-01).
    """
    for caller, registration in (
        ("same", {"audience": ("same", "project-1")}),
        ("sibling", {"project_id": "project-9"}),
        ("by-project", {"project_id": "project-1"}),
    ):
        with row(caller, registration):
            token = await token_of(service, kind)
            service.register(caller, **registration)

            assert (await introspected(service, token, caller))["active"] is True
            assert (await introspected(service, token, "app"))["active"] is True


async def test_project_of_the_scope_is_in_the_audience(service: TokenService) -> None:
    """With urn:portico:project:id:{id}:aud the clients of that project get active responses."""
    service.register("theirs", project_id="project-2", audience=("theirs", "project-2"))
    service.users.audiences["project-2"] = ("theirs", "project-2")
    with_it = await token_of(service, scope=("openid", "urn:portico:project:id:project-2:aud"))
    without = await token_of(service)

    assert [(await introspected(service, token, "theirs"))["active"] for token in (with_it, without)] == [True, False]
    assert INACTIVE == (await service.introspect(without, "theirs")).content


async def test_token_type_hint_changes_nothing(service: TokenService) -> None:
    """The parameter token_type_hint does not change the response (RFC 7662 §2.1)."""
    for hint in ("access_token", "refresh_token", "nonsense", ""):
        with row(hint):
            answer = await service.introspect(await token_of(service), "api", token_type_hint=hint)

            assert answer.json()["active"] is True


async def test_response_is_not_stored(service: TokenService) -> None:
    answers = [await service.introspect(token, "api") for token in (await token_of(service), "unknown")]
    headers = [dict(answer.headers) for answer in answers]
    for each in headers:
        each.pop("x-request-id")
        each.pop("content-length")

    assert headers[0] == headers[1]
    assert headers[0]["cache-control"] == "no-store"
    assert headers[0]["content-type"] == "application/json"


async def test_only_post_is_allowed(service: TokenService) -> None:
    """Every other method is 405 in JSON, and there is no preflight (IR-17)."""
    for method in ("GET", "PUT", "DELETE", "OPTIONS"):
        with row(method):
            asked = {"Origin": "https://app.example.test", "Access-Control-Request-Method": "POST"}
            answer = await service.http.request(method, INTROSPECT, headers=asked)

            assert (answer.status_code, answer.json()["error"]) == (405, "invalid_request")
            assert answer.headers["allow"] == "POST"
            assert not any(name.startswith("access-control-") for name in answer.headers)


async def test_token_in_the_url_is_refused(service: TokenService) -> None:
    """URLs are logged, so no token is read from the query (TK-21)."""
    token = await token_of(service)
    headers = {"Authorization": basic_header("api", SECRET)}
    answer = await service.http.post(INTROSPECT, params={"token": token}, data={"token": token}, headers=headers)

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
