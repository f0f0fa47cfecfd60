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
from portico_harness.rows import row
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
    """Checks for this error with no-store."""
    return (answer.status_code, answer.json()["error"], answer.headers["cache-control"]) == (status, error, "no-store")


def claims_in(token: str) -> dict[str, Any]:
    """Returns the claims of a JWT without verification."""
    claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return claims


@KINDS
async def test_response_members_are_exact(service: TokenService, kind: AccessTokenType) -> None:
    """There is no id_token and no refresh_token, whatever the scope requests (TK-20, TK-21)."""
    service.register_service_user("robot", access_token_type=kind)

    answer = await service.client_credentials("robot", scope="openid profile offline_access")
    body = answer.json()

    assert set(body) == {"access_token", "token_type", "expires_in", "scope"}
    assert (body["token_type"], body["expires_in"], body["scope"]) == ("Bearer", 3600, "openid profile")
    assert (answer.headers["cache-control"], answer.headers["pragma"]) == ("no-store", "no-cache")
    assert body["access_token"].count(".") == (2 if kind is JWT else 1)


async def test_identified_by_id_or_name_in_header_or_body(service: TokenService) -> None:
    """All four combinations identify the same service user, and its tokens contain its id."""
    for method in ("basic", "post"):
        for name in ("robot", "robot-name"):
            with row(method, name):
                service.register_service_user("robot", access_token_type=JWT)
                form = {"grant_type": "client_credentials", "scope": "openid"}
                if method == "post":
                    answer = await service.token({**form, "client_id": name, "client_secret": SECRET})
                else:
                    answer = await service.token(form, basic=(name, SECRET))
                claims = claims_in(answer.json()["access_token"])

                assert (claims["sub"], claims["client_id"]) == ("robot", "robot")


async def test_every_claim_of_the_jwt(service: TokenService) -> None:
    """The RFC 9068 token is signed with RS256 and has only the user's id, which is the audience without a project."""
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
async def test_signing_algorithm_is_the_registered_one(service: TokenService, alg: str) -> None:
    """The registration chooses the algorithm and so the key (JW-02)."""
    service.register_service_user("robot", access_token_type=JWT, access_token_alg=alg)

    token = (await service.client_credentials("robot", scope="openid")).json()["access_token"]

    assert jwt.get_unverified_header(token)["alg"] == alg


async def test_audience_is_the_requested_projects(service: TokenService) -> None:
    """The audience has their ids and their clients, and the service's own project is always known."""
    for projects, aud in (
        (["p1"], ["api-p1", "p1"]),
        (["p2", "p1"], ["api-p2", "p2", "api-p1", "p1"]),
        (["portico"], ["portico"]),
        (["portico", "p1"], ["portico", "api-p1", "p1"]),
    ):
        with row(projects, aud):
            service.register_service_user("robot", access_token_type=JWT)
            scope = " ".join(AUD.format(project) for project in projects)

            answer = await service.client_credentials("robot", scope=scope)

            assert answer.json()["scope"] == scope
            assert claims_in(answer.json()["access_token"])["aud"] == aud


@KINDS
async def test_only_the_audience_sees_an_active_token(service: TokenService, kind: AccessTokenType) -> None:
    """Only a client of the requested project gets an active response (IR-01)."""
    service.register_service_user("robot", access_token_type=kind)
    token = (await service.client_credentials("robot", scope=AUD.format("p1"))).json()["access_token"]
    inside, outside = [(await service.introspect(token, f"api-{project}")).json() for project in ("p1", "p2")]

    assert (inside["active"], inside["sub"], inside["client_id"]) == (True, "robot", "robot")
    assert inside["username"] == "robot-name@example.test"
    assert outside == {"active": False}


@KINDS
async def test_userinfo_refuses_client_credentials_tokens(service: TokenService, kind: AccessTokenType) -> None:
    """There is no end user, so the response is 401 despite the scope openid (IR-09)."""
    service.register_service_user("robot", access_token_type=kind)
    token = (await service.client_credentials("robot")).json()["access_token"]

    assert (await service.userinfo(token)).status_code == 401


@KINDS
async def test_service_user_may_revoke_its_token(service: TokenService, kind: AccessTokenType) -> None:
    """The service user is the client the token was issued to (RFC 7009 §2.1)."""
    service.register_service_user("robot", access_token_type=kind)
    scope = AUD.format("p1")
    one, other = [(await service.client_credentials("robot", scope=scope)).json()["access_token"] for _ in range(2)]
    revoked = await service.revoke(one, "robot")
    active = [(await service.introspect(token, "api-p1")).json()["active"] for token in (one, other)]

    assert (revoked.status_code, active) == (200, [False, True])


@pytest.mark.parametrize("form", [{"scope": ""}, {}])
async def test_scope_is_required(service: TokenService, form: dict[str, str]) -> None:
    answer = await service.token({"grant_type": "client_credentials", **form}, basic=("robot", SECRET))

    assert refused(answer, 400, "invalid_request")


WRONG_SCOPES: list[str] = [
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
]


async def test_invalid_scope_is_refused(service: TokenService) -> None:
    """Unknown, malformed and overlong scopes, unknown projects and foreign organizations are refused (TK-13)."""
    for scope in WRONG_SCOPES:
        with row(scope):
            assert refused(await service.client_credentials("robot", scope=scope), 400, "invalid_scope")


async def test_scope_is_a_set_in_its_order(service: TokenService) -> None:
    """Spaces do not matter, and the own organization may be requested."""
    answer = await service.client_credentials("robot", scope=" email  openid email urn:portico:org:id:org-1 ")

    assert answer.json()["scope"] == "email openid urn:portico:org:id:org-1"


@pytest.mark.parametrize(
    ("method", "form"),
    [
        (AuthMethod.CLIENT_SECRET_BASIC, None),
        (AuthMethod.CLIENT_SECRET_POST, {"client_id": "app", "client_secret": SECRET}),
    ],
)
async def test_application_is_unauthorized_client(
    service: TokenService, method: AuthMethod, form: dict[str, str] | None
) -> None:
    """The application is authenticated but may not use the grant (TK-19)."""
    service.register("app", method, grant_types=("authorization_code", "refresh_token", "implicit"))
    asked = {"grant_type": "client_credentials", "scope": "openid", **(form or {})}

    answer = await service.token(asked, basic=None if form else ("app", SECRET))

    assert refused(answer, 400, "unauthorized_client")


async def test_application_registered_for_it_is_refused_too(service: TokenService) -> None:
    service.register("app", grant_types=("client_credentials",))

    assert refused(await service.client_credentials("app"), 400, "unauthorized_client")


async def test_application_precedes_a_service_user(service: TokenService) -> None:
    """An id is looked up as application, then as user id, then as user name."""
    service.register("robot-name")

    assert refused(await service.client_credentials("robot-name"), 400, "unauthorized_client")
    assert (await service.client_credentials("robot")).status_code == 200


WITHOUT_SECRET: list[tuple[dict[str, str], int, str]] = [
    ({}, 401, "invalid_client"),
    ({"client_id": "robot"}, 401, "invalid_client"),
    ({"client_id": "robot", "client_secret": "wrong"}, 401, "invalid_client"),
    ({"client_id": "nobody", "client_secret": SECRET}, 401, "invalid_client"),
    ({"client_secret": SECRET}, 400, "invalid_request"),
]


async def test_only_with_a_secret(service: TokenService) -> None:
    """Missing, wrong and incomplete credentials and an unknown client are refused (TK-16)."""
    for form, status, error in WITHOUT_SECRET:
        with row(form, status, error):
            answer = await service.token({"grant_type": "client_credentials", "scope": "openid", **form})

            assert refused(answer, status, error)


async def test_assertion_is_refused(service: TokenService) -> None:
    """The keys of a service user authenticate it in the JWT profile only (TK-16)."""
    key = service.keys.published[1]
    service.register_service_user("robot", keys=(registered(key),))
    form = {
        "client_assertion_type": ASSERTION_TYPE,
        "client_assertion": sign(key, claims_of("robot", ISSUER, service.clock.now())),
    }

    answer = await service.token({"grant_type": "client_credentials", "scope": "openid", **form})

    assert refused(answer, 401, "invalid_client")


async def test_without_a_stored_secret_no_secret_matches(service: TokenService) -> None:
    service.register_service_user("robot", secret_hash="")

    assert refused(await service.client_credentials("robot"), 401, "invalid_client")


async def test_service_user_may_use_no_code_or_refresh_token(service: TokenService) -> None:
    """Codes and refresh tokens are for applications, so the error is unauthorized_client (TK-19)."""
    for form in ({"grant_type": "authorization_code", "code": "c"}, {"grant_type": "refresh_token"}):
        assert refused(await service.token(form, basic=("robot", SECRET)), 400, "unauthorized_client")


async def test_inactive_service_user_is_refused(service: TokenService, clock: FrozenClock) -> None:
    """The change is in force within a second, or at once with the event (TK-11)."""
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


async def test_new_secret_replaces_the_old_one(service: TokenService) -> None:
    await service.client_credentials("robot")
    service.register_service_user("robot", secret_hash=fingerprint("another-secret"))
    await service.publish_user_changed("robot")

    assert refused(await service.client_credentials("robot"), 401, "invalid_client")


@KINDS
async def test_unavailable_store_issues_no_opaque_token(
    service: TokenService, grants: MemoryGrants, kind: AccessTokenType
) -> None:
    """An opaque token that could not be stored is a 503, while a JWT needs no store (P2)."""
    service.register_service_user("robot", access_token_type=kind)
    grants.down = True

    answer = await service.client_credentials("robot")

    assert answer.status_code == 200 if kind is JWT else refused(answer, 503, "server_error")


@KINDS
async def test_missing_key_issues_no_jwt(service: TokenService, clock: FrozenClock, kind: AccessTokenType) -> None:
    """A JWT that cannot be signed is a 503, while an opaque token needs no key (IR-16)."""
    service.register_service_user("robot", access_token_type=kind)
    clock.tick(60)

    answer = await service.client_credentials("robot")

    assert answer.status_code == 200 if kind is not JWT else refused(answer, 503, "server_error")


async def test_unavailable_bus_is_503(service: TokenService, bus: MemoryBus) -> None:
    bus.down = True
    down = await service.client_credentials("robot")
    bus.down = False

    assert refused(down, 503, "server_error")
    assert down.headers["retry-after"] == "1"
    assert (await service.client_credentials("robot")).status_code == 200
