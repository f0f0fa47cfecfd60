"""client_credentials at the token endpoint (RFC 6749 §4.4)."""

from __future__ import annotations

from typing import Any

import httpx
import jwt
import pytest
from portico_contracts.users import AccessTokenType, AuthMethod
from portico_fakes.assertions import ASSERTION_TYPE, claims_of, registered, sign
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import ISSUER, SECRET, TokenService
from portico_oauth.opaque import fingerprint

KINDS = pytest.mark.parametrize("kind", list(AccessTokenType))
JWT = AccessTokenType.JWT
AUD = "urn:portico:project:id:{}:aud"


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    """With the service user ``robot``, the projects ``p1`` and ``p2``, and a client of each that introspects."""
    token_service.register_service_user("robot")
    for project in ("p1", "p2"):
        audience = (f"api-{project}", project)
        token_service.users.audiences[project] = audience
        token_service.register(f"api-{project}", project_id=project, audience=audience)
    return token_service


def refused(answer: httpx.Response, status: int, error: str) -> bool:
    """This error, never stored."""
    return (answer.status_code, answer.json()["error"], answer.headers["cache-control"]) == (status, error, "no-store")


def claims_in(token: str) -> dict[str, Any]:
    """The claims of a JWT, unverified."""
    claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return claims


@KINDS
async def test_the_answer_has_exactly_the_members_of_the_table(service: TokenService, kind: AccessTokenType) -> None:
    """There is no id_token and no refresh_token, whatever the scope requests (TK-20, TK-21)."""
    service.register_service_user("robot", access_token_type=kind)

    answer = await service.client_credentials("robot", scope="openid profile offline_access")
    body = answer.json()

    assert set(body) == {"access_token", "token_type", "expires_in", "scope"}
    assert (body["token_type"], body["expires_in"], body["scope"]) == ("Bearer", 3600, "openid profile")
    assert (answer.headers["cache-control"], answer.headers["pragma"]) == ("no-store", "no-cache")
    assert body["access_token"].count(".") == (2 if kind is JWT else 1)


@pytest.mark.parametrize("name", ["robot", "robot-name"])
@pytest.mark.parametrize("method", ["basic", "post"])
async def test_by_id_or_name_in_header_or_body(service: TokenService, name: str, method: str) -> None:
    """All four forms identify the same client, and its tokens name its id."""
    service.register_service_user("robot", access_token_type=JWT)
    form = {"grant_type": "client_credentials", "scope": "openid"}
    if method == "post":
        answer = await service.token({**form, "client_id": name, "client_secret": SECRET})
    else:
        answer = await service.token(form, basic=(name, SECRET))
    claims = claims_in(answer.json()["access_token"])

    assert (claims["sub"], claims["client_id"]) == ("robot", "robot")


async def test_every_claim_of_the_jwt(service: TokenService) -> None:
    """It is an RFC 9068 token signed with RS256, has only the user's id, and its own audience without a project."""
    service.register_service_user("robot", access_token_type=JWT)
    now = int(service.clock.now())

    token = (await service.client_credentials("robot", scope="openid email")).json()["access_token"]
    claims = claims_in(token)
    jti = claims.pop("jti")

    assert jwt.get_unverified_header(token) == {"alg": "RS256", "kid": "RS256-1", "typ": "at+jwt"}
    assert len(jti) > 45
    assert claims == {
        "iss": ISSUER,
        "sub": "robot",
        "aud": ["robot"],
        "exp": now + 3600,
        "iat": now,
        "nbf": now,
        "client_id": "robot",
        "scope": "openid email",
    }


@pytest.mark.parametrize("alg", ["ES256", "EdDSA"])
async def test_signed_with_the_algorithm_of_the_service_user(service: TokenService, alg: str) -> None:
    """The registration chooses the algorithm, and so the key (JW-02)."""
    service.register_service_user("robot", access_token_type=JWT, access_token_alg=alg)

    token = (await service.client_credentials("robot", scope="openid")).json()["access_token"]

    assert jwt.get_unverified_header(token)["alg"] == alg


@pytest.mark.parametrize(
    ("projects", "aud"),
    [
        (["p1"], ["api-p1", "p1"]),
        (["p2", "p1"], ["api-p2", "p2", "api-p1", "p1"]),
        (["portico"], ["portico"]),
        (["portico", "p1"], ["portico", "api-p1", "p1"]),
    ],
)
async def test_the_audience_is_the_projects_named(service: TokenService, projects: list[str], aud: list[str]) -> None:
    """It has their ids and their clients; the service's own project is always known."""
    service.register_service_user("robot", access_token_type=JWT)
    scope = " ".join(AUD.format(project) for project in projects)

    answer = await service.client_credentials("robot", scope=scope)

    assert answer.json()["scope"] == scope
    assert claims_in(answer.json()["access_token"])["aud"] == aud


@KINDS
async def test_who_may_see_that_it_is_active(service: TokenService, kind: AccessTokenType) -> None:
    """Only a client of the named project gets an active response (IR-01)."""
    service.register_service_user("robot", access_token_type=kind)
    token = (await service.client_credentials("robot", scope=AUD.format("p1"))).json()["access_token"]
    inside, outside = [(await service.introspect(token, f"api-{project}")).json() for project in ("p1", "p2")]

    assert (inside["active"], inside["sub"], inside["client_id"]) == (True, "robot", "robot")
    assert inside["username"] == "robot-name@example.test"
    assert outside == {"active": False}


@KINDS
async def test_userinfo_refuses_it(service: TokenService, kind: AccessTokenType) -> None:
    """There is no end user: 401, though the scope has openid (IR-09)."""
    service.register_service_user("robot", access_token_type=kind)
    token = (await service.client_credentials("robot")).json()["access_token"]

    assert (await service.userinfo(token)).status_code == 401


@KINDS
async def test_the_service_user_may_revoke_it(service: TokenService, kind: AccessTokenType) -> None:
    """It is the client the token was issued to (RFC 7009 §2.1)."""
    service.register_service_user("robot", access_token_type=kind)
    scope = AUD.format("p1")
    one, other = [(await service.client_credentials("robot", scope=scope)).json()["access_token"] for _ in range(2)]
    revoked = await service.revoke(one, "robot")
    active = [(await service.introspect(token, "api-p1")).json()["active"] for token in (one, other)]

    assert (revoked.status_code, active) == (200, [False, True])


@pytest.mark.parametrize("form", [{"scope": ""}, {}])
async def test_a_scope_is_required(service: TokenService, form: dict[str, str]) -> None:
    """A scope that is absent or empty is an invalid_request."""
    answer = await service.token({"grant_type": "client_credentials", **form}, basic=("robot", SECRET))

    assert refused(answer, 400, "invalid_request")


@pytest.mark.parametrize(
    "scope",
    [
        "openid nope",
        "OpenID",
        "openid\temail",
        'openid "email"',
        "é",
        "openid urn:portico:",
        "openid " + AUD.format("unknown"),
        "urn:portico:org:id:org-2",
        "a " * 1_999 + "a",
        "a " * 10_000 + "a",
    ],
)
async def test_a_scope_that_is_not_good(service: TokenService, scope: str) -> None:
    """Unknown, malformed and overlong scopes, unknown projects and foreign organizations are refused (TK-13)."""
    assert refused(await service.client_credentials("robot", scope=scope), 400, "invalid_scope")


async def test_the_words_of_a_scope_count(service: TokenService) -> None:
    """A scope is a set, in the order it was sent, whatever spaces are between; its own organization may be named."""
    answer = await service.client_credentials("robot", scope=" email  openid email urn:portico:org:id:org-1 ")

    assert answer.json()["scope"] == "email openid urn:portico:org:id:org-1"


@pytest.mark.parametrize(
    ("method", "form"),
    [
        (AuthMethod.CLIENT_SECRET_BASIC, None),
        (AuthMethod.CLIENT_SECRET_POST, {"client_id": "app", "client_secret": SECRET}),
    ],
)
async def test_an_application_may_not_use_it(
    service: TokenService, method: AuthMethod, form: dict[str, str] | None
) -> None:
    """It is known and has authenticated: unauthorized_client (TK-19)."""
    service.register("app", method, grant_types=("authorization_code", "refresh_token", "implicit"))
    asked = {"grant_type": "client_credentials", "scope": "openid", **(form or {})}

    answer = await service.token(asked, basic=None if form else ("app", SECRET))

    assert refused(answer, 400, "unauthorized_client")


async def test_an_application_registered_for_it(service: TokenService) -> None:
    """An application is no service user, whatever grant types it is registered for."""
    service.register("app", grant_types=("client_credentials",))

    assert refused(await service.client_credentials("app"), 400, "unauthorized_client")


async def test_an_application_comes_before_a_service_user(service: TokenService) -> None:
    """Looked up as application, then user id, then user name: what is registered first under an id is meant."""
    service.register("robot-name")

    assert refused(await service.client_credentials("robot-name"), 400, "unauthorized_client")
    assert (await service.client_credentials("robot")).status_code == 200


@pytest.mark.parametrize(
    ("form", "status", "error"),
    [
        ({}, 401, "invalid_client"),
        ({"client_id": "robot"}, 401, "invalid_client"),
        ({"client_id": "robot", "client_secret": "wrong"}, 401, "invalid_client"),
        ({"client_id": "nobody", "client_secret": SECRET}, 401, "invalid_client"),
        ({"client_secret": SECRET}, 400, "invalid_request"),
    ],
)
async def test_only_with_a_secret(service: TokenService, form: dict[str, str], status: int, error: str) -> None:
    """No credentials, the id alone, a wrong secret, an unknown client and incomplete credentials are refused (TK-16)."""
    answer = await service.token({"grant_type": "client_credentials", "scope": "openid", **form})

    assert refused(answer, status, error)


async def test_not_with_an_assertion(service: TokenService) -> None:
    """Its keys authenticate a service user in the JWT profile only (TK-16)."""
    key = service.keys.published[1]
    service.register_service_user("robot", keys=(registered(key),))
    form = {
        "client_assertion_type": ASSERTION_TYPE,
        "client_assertion": sign(key, claims_of("robot", ISSUER, service.clock.now())),
    }

    answer = await service.token({"grant_type": "client_credentials", "scope": "openid", **form})

    assert refused(answer, 401, "invalid_client")


async def test_without_a_secret_there_is_no_secret(service: TokenService) -> None:
    """An empty stored fingerprint never equals the fingerprint of a secret."""
    service.register_service_user("robot", secret_hash="")

    assert refused(await service.client_credentials("robot"), 401, "invalid_client")


async def test_a_service_user_may_use_nothing_else(service: TokenService) -> None:
    """Codes and refresh tokens are for applications: unauthorized_client (TK-19)."""
    for form in ({"grant_type": "authorization_code", "code": "c"}, {"grant_type": "refresh_token"}):
        assert refused(await service.token(form, basic=("robot", SECRET)), 400, "unauthorized_client")


async def test_an_inactive_service_user(service: TokenService, clock: FrozenClock) -> None:
    """It is refused within a second without an event, at once with it (TK-11)."""
    first = await service.client_credentials("robot")
    gone = service.users.service_users.pop("robot")
    clock.tick(1)
    without_event = await service.client_credentials("robot")
    service.users.service_users["robot"] = gone
    await service.publish_user_changed("robot")
    back = await service.client_credentials("robot-name")
    del service.users.service_users["robot"]
    await service.publish_user_changed("robot")

    assert (first.status_code, back.status_code) == (200, 200)
    assert refused(without_event, 401, "invalid_client")
    assert refused(await service.client_credentials("robot-name"), 401, "invalid_client")


async def test_a_new_secret_replaces_the_old_one(service: TokenService) -> None:
    """The old secret is refused as soon as users publishes the change."""
    await service.client_credentials("robot")
    service.register_service_user("robot", secret_hash=fingerprint("another-secret"))
    await service.publish_user_changed("robot")

    assert refused(await service.client_credentials("robot"), 401, "invalid_client")


@KINDS
async def test_the_store_is_down(service: TokenService, grants: MemoryGrants, kind: AccessTokenType) -> None:
    """An opaque token that could not be stored is not issued: 503; a JWT needs no store (P2)."""
    service.register_service_user("robot", access_token_type=kind)
    grants.down = True

    answer = await service.client_credentials("robot")

    assert answer.status_code == 200 if kind is JWT else refused(answer, 503, "server_error")


@KINDS
async def test_there_is_no_key(service: TokenService, clock: FrozenClock, kind: AccessTokenType) -> None:
    """A JWT cannot be signed, so it is 503; an opaque token needs no key (IR-16)."""
    service.register_service_user("robot", access_token_type=kind)
    clock.tick(60)

    answer = await service.client_credentials("robot")

    assert answer.status_code == 200 if kind is not JWT else refused(answer, 503, "server_error")


async def test_the_bus_is_down(service: TokenService, bus: MemoryBus) -> None:
    """The client cannot be identified: the response is 503 with Retry-After."""
    bus.down = True
    down = await service.client_credentials("robot")
    bus.down = False

    assert refused(down, 503, "server_error")
    assert down.headers["retry-after"] == "1"
    assert (await service.client_credentials("robot")).status_code == 200
