"""The userinfo endpoint (OIDC Core §5.3, RFC 6750)."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from portico_contracts.events import PROJECT_GRANT_CHANGED, Changed
from portico_contracts.users import AccessTokenType, User, UserClaims
from portico_fakes.service_user_jwt import ROBOT, service_user_jwt
from portico_fakes.token_service import SECRET, USER, TokenService
from portico_harness.rows import row
from portico_token.domain.origin import Origin

PATH = "/oidc/v1/userinfo"
EVERYTHING: dict[str, Any] = {
    "name": "Ada Lovelace", "given_name": "Ada", "family_name": "Lovelace", "middle_name": "King", "nickname": "ada",
    "preferred_username": "ada@example.test", "profile": "https://p.test", "picture": "https://i.test",
    "website": "https://w.test", "gender": "female", "birthdate": "1815-12-10", "zoneinfo": "Europe/London",
    "locale": "en", "updated_at": 1_790_000_000, "email": "ada@example.test", "email_verified": False,
    "phone_number": "+441", "phone_number_verified": True, "address": {"locality": "London"},
}  # fmt: skip


@pytest.fixture
async def token(token_service: TokenService) -> str:
    return await with_scope(token_service, "openid")


async def with_scope(service: TokenService, scope: str, **code: Any) -> str:
    """Returns an access token with a scope, of a user with a complete profile."""
    service.users.people[USER] = UserClaims(
        user=User(user_id=USER, org_id="org-1", user_name="ada", login_name="ada@example.test", human=True),
        claims=EVERYTHING,
        metadata={"team": "YQ"},
        org_name="Analysts",
        org_domain="example.test",
    )
    answer = await service.redeem(service.issue_code("web", scope=tuple(scope.split()), **code), "web")
    token: str = answer.json()["access_token"]
    return token


def refused(answer: httpx.Response, status: int, error: str) -> bool:
    """Checks the error in body and challenge (RFC 6750 §3)."""
    challenge = answer.headers["www-authenticate"]
    return (
        (answer.status_code, answer.json()["error"]) == (status, error)
        and challenge.startswith("Bearer ")
        and f'error="{error}"' in challenge
        and answer.headers["cache-control"] == "no-store"
    )


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_missing_token_is_401_with_a_challenge(token_service: TokenService, method: str) -> None:
    assert refused(await token_service.http.request(method, PATH), 401, "invalid_token")


MALFORMED: list[str] = [
    "Bearer",
    "Bearer ",
    "Bearer\t{token}",
    "Bearer {token},{token}",
    "Bearer {token}, Bearer {token}",
    "Bearer {token} {token}",
    "Basic {token}",
    "{token}",
    "Bearer{token}",
    'Bearer "{token}"',
]


async def test_malformed_header_is_refused(token_service: TokenService, token: str) -> None:
    """A header must be a scheme, spaces and one token (IR-09)."""
    for header in MALFORMED:
        with row(header):
            answer = await token_service.http.get(PATH, headers={"Authorization": header.format(token=token)})

            assert refused(answer, 401, "invalid_token")


async def test_token_in_the_query_is_refused(token_service: TokenService, token: str) -> None:
    """A token in the query is refused alone and next to a valid header (IR-09)."""
    alone = await token_service.http.get(PATH, params={"access_token": token})
    beside = await token_service.http.get(
        PATH, params={"access_token": token}, headers={"Authorization": f"Bearer {token}"}
    )

    assert refused(alone, 400, "invalid_request")
    assert refused(beside, 400, "invalid_request")


async def test_token_in_two_places_is_refused(token_service: TokenService, token: str) -> None:
    """Two headers, header and body, or two in the body are 400 (IR-09)."""
    bearer = ("Authorization", f"Bearer {token}")
    form = ("Content-Type", "application/x-www-form-urlencoded")
    answers = [
        await token_service.http.get(PATH, headers=[bearer, bearer]),
        await token_service.http.post(PATH, headers=[bearer], data={"access_token": token}),
        await token_service.http.post(PATH, headers=[form], content=f"access_token={token}&access_token={token}"),
    ]

    assert all(refused(answer, 400, "invalid_request") for answer in answers)


async def test_token_without_openid_is_insufficient_scope(token_service: TokenService) -> None:
    token = await with_scope(token_service, "email")

    assert refused(await token_service.userinfo(token), 403, "insufficient_scope")


async def test_only_get_and_post_are_allowed(token_service: TokenService) -> None:
    for method in ("PUT", "DELETE", "PATCH"):
        with row(method):
            assert (await token_service.http.request(method, PATH)).status_code == 405


async def test_scheme_is_case_insensitive(token_service: TokenService, token: str) -> None:
    """The scheme may have any case, followed by several spaces (RFC 9110 §11.4)."""
    for scheme in ("Bearer", "bearer", "BEARER", "bEaReR", "Bearer  "):
        with row(scheme):
            answer = await token_service.http.get(PATH, headers={"Authorization": f"{scheme} {token}"})

            assert answer.status_code == 200


async def test_token_in_header_or_form_body(token_service: TokenService, token: str) -> None:
    """The token is read from the header of GET and POST and from the form body of POST, and the response has
    no-store.
    """
    bearer = {"Authorization": f"Bearer {token}"}
    answers = [
        await token_service.http.get(PATH, headers=bearer),
        await token_service.http.post(PATH, headers=bearer),
        await token_service.http.post(PATH, headers=bearer, data={"other": "x"}),
        await token_service.http.post(PATH, headers=bearer, json={"access_token": "not read"}),
        await token_service.http.post(PATH, data={"access_token": token}),
    ]

    assert [(answer.status_code, answer.json()) for answer in answers] == [(200, {"sub": USER})] * 5
    assert {answer.headers["content-type"] for answer in answers} == {"application/json"}
    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}


@pytest.mark.parametrize("kind", list(AccessTokenType))
async def test_opaque_and_jwt_return_the_same_claims(token_service: TokenService, kind: AccessTokenType) -> None:
    token_service.register("web", access_token_type=kind)
    token = await with_scope(token_service, "openid email")

    answer = await token_service.userinfo(token)

    assert answer.json() == {"sub": USER, "email": "ada@example.test", "email_verified": False}


SCOPES: list[tuple[str, set[str]]] = [
    ("openid", set()),
    ("openid email", {"email", "email_verified"}),
    ("openid phone", {"phone_number", "phone_number_verified"}),
    ("openid address", {"address"}),
    ("openid profile", set(list(EVERYTHING)[:14])),
    ("openid profile email phone address", set(EVERYTHING)),
    ("openid urn:portico:user:metadata", {"urn:portico:user:metadata"}),
]


async def test_claims_by_scope(token_service: TokenService) -> None:
    """Each scope requests its claims with their JSON types, and sub is always present (OIDC Core §5.4)."""
    for scope, names in SCOPES:
        with row(scope, names):
            answer = (await token_service.userinfo(await with_scope(token_service, scope))).json()

            assert set(answer) == {"sub", *names}
            assert all(answer[name] == EVERYTHING[name] for name in names & set(EVERYTHING))


@pytest.mark.parametrize("word", ["urn:portico:user:resourceowner", "urn:portico:org:id:org-1"])
async def test_resource_owner_by_scope(token_service: TokenService, word: str) -> None:
    """The reserved scope, and the one that restricts the login, return the user's organization."""
    answer = (await token_service.userinfo(await with_scope(token_service, f"openid {word}"))).json()

    assert answer == {
        "sub": USER,
        "urn:portico:user:resourceowner:id": "org-1",
        "urn:portico:user:resourceowner:name": "Analysts",
        "urn:portico:user:resourceowner:primary_domain": "example.test",
    }


async def test_unknown_values_are_absent(token_service: TokenService) -> None:
    """A claim without a value is absent, never null or empty."""
    token = await with_scope(token_service, "openid profile urn:portico:user:metadata")
    user = token_service.users.people[USER].user
    token_service.users.people[USER] = UserClaims(user=user, claims={"name": "Ada"})
    await token_service.publish_user_changed()

    assert (await token_service.userinfo(token)).json() == {"sub": USER, "name": "Ada"}


async def test_single_claims_by_the_claims_parameter(token_service: TokenService) -> None:
    """Only known claims of the userinfo member count, because the id_token member is for the id_token (OIDC Core
    §5.5).
    """
    asked = {"userinfo": {"name": None, "email": {"essential": True}, "ssn": None}, "id_token": {"locale": None}}
    token = await with_scope(token_service, "openid", claims=json.dumps(asked))

    assert set((await token_service.userinfo(token)).json()) == {"sub", "name", "email"}


async def test_roles_of_own_and_requested_projects(token_service: TokenService) -> None:
    """The short claim is that of the application's project, and each requested project has its own."""
    reader, admin = {"reader": {"org-1": "example.test"}}, {"admin": {"org-2": "other.test"}}
    token_service.users.audiences["project-2"] = ("project-2",)
    token_service.users.roles[USER, "project-1"] = reader
    token_service.users.roles[USER, "project-2"] = admin
    token_service.users.roles[USER, "project-3"] = admin
    scope = "openid urn:portico:project:roles urn:portico:project:id:project-2:aud"

    assert (await token_service.userinfo(await with_scope(token_service, scope))).json() == {
        "sub": USER,
        "urn:portico:project:roles": reader,
        "urn:portico:project:project-1:roles": reader,
        "urn:portico:project:project-2:roles": admin,
    }


@pytest.mark.parametrize("asserted", [True, False])
async def test_project_may_assert_roles_without_scope(token_service: TokenService, asserted: bool) -> None:
    reader = {"reader": {"org-1": "example.test"}}
    token_service.users.roles[USER, "project-1"] = token_service.users.roles[USER, "project-2"] = reader
    token_service.register("web", userinfo_roles=asserted)
    token = await with_scope(token_service, "openid")
    roles = {"urn:portico:project:roles": reader, "urn:portico:project:project-1:roles": reader}

    assert (await token_service.userinfo(token)).json() == {"sub": USER, **(roles if asserted else {})}


async def test_changed_project_grant_invalidates_the_cache(token_service: TokenService) -> None:
    token_service.users.roles[USER, "project-1"] = {"reader": {"org-1": "example.test"}}
    token = await with_scope(token_service, "openid urn:portico:project:roles")
    before = (await token_service.userinfo(token)).json()
    del token_service.users.roles[USER, "project-1"]
    changed = Changed(event_id="e1", aggregate_id="grant", org_id="o", sequence=2, at=0.0, actor="a")
    await token_service.bus.publish(PROJECT_GRANT_CHANGED, changed, event_id="e1")
    after = (await token_service.userinfo(token)).json()

    assert ("urn:portico:project:roles" in before, "urn:portico:project:roles" in after) == (True, False)


async def test_service_user_of_the_jwt_profile_gets_claims(token_service: TokenService) -> None:
    token_service.register_service_user(ROBOT)
    user = token_service.users.people[ROBOT].user
    token_service.users.people[ROBOT] = UserClaims(user=user, claims={"name": "Robot"})
    token = service_user_jwt(token_service, Origin.JWT_PROFILE, scope="openid profile")

    assert (await token_service.userinfo(token)).json() == {"sub": ROBOT, "name": "Robot"}


async def test_roles_of_a_service_user(token_service: TokenService) -> None:
    """A service user belongs to no project, so the short claim is present only if one project is requested."""
    token_service.register_service_user(ROBOT)
    reader = {"reader": {"org-1": "example.test"}}
    token_service.users.roles[ROBOT, "p1"] = token_service.users.roles[ROBOT, "p2"] = reader
    scopes = ["urn:portico:project:id:p1:aud", "urn:portico:project:id:p1:aud urn:portico:project:id:p2:aud"]
    tokens = [
        service_user_jwt(token_service, Origin.JWT_PROFILE, scope=f"openid urn:portico:project:roles {scope}")
        for scope in scopes
    ]

    one, both = [(await token_service.userinfo(token)).json() for token in tokens]

    assert one == {"sub": ROBOT, "urn:portico:project:roles": reader, "urn:portico:project:p1:roles": reader}
    assert set(both) == {"sub", "urn:portico:project:p1:roles", "urn:portico:project:p2:roles"}


@pytest.mark.parametrize("kind", list(AccessTokenType))
async def test_client_credentials_token_is_refused(token_service: TokenService, kind: AccessTokenType) -> None:
    """There is no end user, so the response is 401 although the token is active with openid (IR-09)."""
    token_service.register_service_user(ROBOT, access_token_type=kind)
    asked = {"grant_type": "client_credentials", "scope": "openid profile"}
    token = (await token_service.token(asked, basic=(ROBOT, SECRET))).json()["access_token"]

    assert refused(await token_service.userinfo(token), 401, "invalid_token")
    assert (await token_service.introspect(token, ROBOT)).json()["active"] is True


async def test_jwt_profile_token_without_openid_is_refused(token_service: TokenService) -> None:
    token_service.register_service_user(ROBOT)

    answer = await token_service.userinfo(service_user_jwt(token_service, Origin.JWT_PROFILE, scope="profile"))

    assert refused(answer, 403, "insufficient_scope")


async def test_stored_data_does_not_override_sub(token_service: TokenService) -> None:
    """No stored claim or metadata replaces sub, whatever its name (JW-20)."""
    token = await with_scope(token_service, "openid profile email phone address urn:portico:user:metadata")
    forged: dict[str, Any] = dict.fromkeys(
        ("sub", "iss", "aud", "azp", "exp", "scope", "client_id", "active", "roles"), "forged"
    )
    user = token_service.users.people[USER].user
    token_service.users.people[USER] = UserClaims(user=user, claims=forged, metadata=forged)
    await token_service.publish_user_changed()

    assert (await token_service.userinfo(token)).json() == {"sub": USER, "urn:portico:user:metadata": forged}
