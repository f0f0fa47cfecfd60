"""The revocation endpoint (RFC 7009)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from portico_contracts.http import REVOKE
from portico_contracts.token import REVOKE_SESSION, RevokeSession
from portico_contracts.users import AccessTokenType, AuthMethod
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.service_user_jwt import ROBOT, service_user_jwt
from portico_fakes.token_service import SECRET, USER, TokenService, basic_header
from portico_harness.rows import row
from portico_oauth.pkce import challenge_of

KINDS = pytest.mark.parametrize("kind", list(AccessTokenType))
OFFLINE = ("openid", "offline_access")
GRANTS = ("authorization_code", "refresh_token")


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    """With a second client that is in the audience of the first."""
    token_service.register("other", audience=("app", "other", "project-1"))
    return token_service


async def tokens_of(service: TokenService, kind: AccessTokenType = AccessTokenType.OPAQUE) -> dict[str, str]:
    """Returns the token set of the client ``app`` for an offline sign-in."""
    service.register("app", access_token_type=kind, grant_types=GRANTS)
    answer = await service.redeem(service.issue_code("app", scope=OFFLINE), "app")
    tokens: dict[str, str] = answer.json()
    return tokens


async def refreshed(service: TokenService, refresh_token: str) -> dict[str, str]:
    """Returns the token set of the client ``app`` for a refresh token."""
    asked = {"grant_type": "refresh_token", "refresh_token": refresh_token}
    answer = await service.token(asked, basic=("app", SECRET))
    tokens: dict[str, str] = answer.json()
    return tokens


async def active(service: TokenService, token: str) -> bool:
    """Checks that introspection and userinfo agree."""
    response: bool = (await service.introspect(token, "other")).json()["active"]
    assert ((await service.userinfo(token)).status_code == 200) is response
    return response


async def test_missing_token_is_invalid_request(service: TokenService) -> None:
    headers = {"Authorization": basic_header("other", SECRET)}
    answers = [await service.http.post(REVOKE, data=data, headers=headers) for data in ({"x": "y"}, {"token": ""})]

    assert [(answer.status_code, answer.json()["error"]) for answer in answers] == [(400, "invalid_request")] * 2


@KINDS
async def test_another_clients_tokens_are_unaffected(service: TokenService, kind: AccessTokenType) -> None:
    """The response is 401 invalid_client, also for a client in the audience, and both tokens stay active (IR-07)."""
    tokens = await tokens_of(service, kind)

    answers = [await service.revoke(tokens[name], "other") for name in ("access_token", "refresh_token")]

    assert [(answer.status_code, answer.json()["error"]) for answer in answers] == [(401, "invalid_client")] * 2
    assert await active(service, tokens["access_token"])
    assert "access_token" in await refreshed(service, tokens["refresh_token"])


@KINDS
async def test_another_clients_revoked_token_is_unknown(service: TokenService, kind: AccessTokenType) -> None:
    token = (await tokens_of(service, kind))["access_token"]
    await service.revoke(token, "app")

    assert (await service.revoke(token, "other")).status_code == 200


@KINDS
async def test_access_token_is_revoked_alone(service: TokenService, kind: AccessTokenType) -> None:
    """The grant can still be refreshed, and the next access token is active (IR-08)."""
    tokens = await tokens_of(service, kind)

    answer = await service.revoke(tokens["access_token"], "app")

    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["cache-control"] == "no-store"
    assert not await active(service, tokens["access_token"])
    assert await active(service, (await refreshed(service, tokens["refresh_token"]))["access_token"])


@KINDS
async def test_refresh_token_revokes_its_access_token(service: TokenService, kind: AccessTokenType) -> None:
    """Both tokens of the grant are revoked (IR-08)."""
    tokens = await tokens_of(service, kind)

    answer = await service.revoke(tokens["refresh_token"], "app")

    assert (answer.status_code, answer.content) == (200, b"")
    assert not await active(service, tokens["access_token"])
    assert (await refreshed(service, tokens["refresh_token"]))["error"] == "invalid_grant"


async def test_rotated_refresh_token_revokes_its_grant(service: TokenService) -> None:
    """A client that lost the newest token can still revoke the grant with all its access tokens."""
    first = await tokens_of(service)
    second = await refreshed(service, first["refresh_token"])

    await service.revoke(first["refresh_token"], "app")

    assert not await active(service, first["access_token"])
    assert not await active(service, second["access_token"])
    assert (await refreshed(service, second["refresh_token"]))["error"] == "invalid_grant"


@KINDS
async def test_logout_revokes_the_tokens_of_the_session(service: TokenService, kind: AccessTokenType) -> None:
    """Offline tokens are revoked too, and those of another session stay active (IR-08)."""
    tokens = await tokens_of(service, kind)
    other = (await service.redeem(service.issue_code("app", session_id="another"), "app")).json()["access_token"]

    await service.bus.call(REVOKE_SESSION, RevokeSession(user_id=USER, session_id="session-1"))

    assert not await active(service, tokens["access_token"])
    assert (await refreshed(service, tokens["refresh_token"]))["error"] == "invalid_grant"
    assert await active(service, other)


async def test_unknown_token_counts_as_revoked(service: TokenService) -> None:
    """The response is an empty 200 (RFC 7009 §2.2)."""
    for text in ("unknown", "a.b.c", "é", "." * 200, "ab" + "x" * 22 + "." + "y" * 43):
        answer = await service.revoke(text, "other")

        assert (answer.status_code, answer.content) == (200, b""), text


async def test_revoking_twice_succeeds(service: TokenService) -> None:
    tokens = await tokens_of(service)

    answers = [await service.revoke(tokens["access_token"], "app") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]


async def test_codes_and_id_tokens_are_not_revoked(service: TokenService) -> None:
    """The response is 200, and the code can still be redeemed."""
    tokens = await tokens_of(service)
    code = service.issue_code("app")

    answers = [await service.revoke(text, "app") for text in (code, tokens["id_token"])]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert (await service.redeem(code, "app")).status_code == 200
    assert await active(service, tokens["access_token"])


async def test_token_type_hint_is_only_a_hint(service: TokenService) -> None:
    """With a right, wrong, unknown or empty hint the token is revoked (IR-07)."""
    for hint, name in product(
        ("access_token", "refresh_token", "id_token", "nonsense", ""), ("access_token", "refresh_token")
    ):
        tokens = await tokens_of(service)

        answer = await service.revoke(tokens[name], "app", token_type_hint=hint)

        assert answer.status_code == 200, (hint, name)
        assert not await active(service, tokens["access_token"]), (hint, name)


async def test_public_client_sends_its_id(service: TokenService) -> None:
    """Without its id, or with that of a confidential client, it is 401 invalid_client, and the token stays
    active (IR-07).
    """
    forms: tuple[dict[str, Any], ...] = ({}, {"client_id": "other"}, {"client_id": "nobody"}, {"client_id": ""})
    for form in forms:
        with row(form):
            service.register("app", AuthMethod.NONE)
            token = await public_token(service)

            refused = await service.about(REVOKE, token, **form)
            before = await active(service, token)
            answer = await service.about(REVOKE, token, client_id="app")

            assert (refused.status_code, refused.json()["error"]) == (401, "invalid_client")
            assert "www-authenticate" not in refused.headers
            assert before
            assert answer.status_code == 200
            assert not await active(service, token)


async def public_token(service: TokenService) -> str:
    verifier = "v" * 43
    code = service.issue_code("app", challenge=challenge_of(verifier))
    asked = {"grant_type": "authorization_code", "code": code, "redirect_uri": "https://app.example.test/cb"}
    answer = await service.token({**asked, "code_verifier": verifier, "client_id": "app"})
    token: str = answer.json()["access_token"]
    return token


@KINDS
@pytest.mark.parametrize("name", ["access_token", "refresh_token"])
async def test_unavailable_store_is_503(
    service: TokenService, grants: MemoryGrants, kind: AccessTokenType, name: str
) -> None:
    """Afterwards the token is still active and can be revoked (IR-05)."""
    tokens = await tokens_of(service, kind)
    grants.down = True
    refused = await service.revoke(tokens[name], "app")
    grants.down = False

    assert (refused.status_code, refused.json()["error"]) == (503, "server_error")
    assert refused.headers["retry-after"] == "1"
    assert await active(service, tokens["access_token"])
    assert (await service.revoke(tokens[name], "app")).status_code == 200


@pytest.fixture
def with_service_user(service: TokenService) -> TokenService:
    service.register_service_user(ROBOT)
    return service


async def is_introspected_active(service: TokenService, token: str) -> bool:
    response: bool = (await service.introspect(token, "other")).json()["active"]
    return response


async def test_service_user_revokes_a_stateless_token(with_service_user: TokenService) -> None:
    """Only that token is revoked, at once, and another client may neither revoke it nor learn of an expired one."""
    token, another = (service_user_jwt(with_service_user, aud=["other"]) for _ in range(2))
    refused = await with_service_user.revoke(token, "other")
    before = await is_introspected_active(with_service_user, token)
    answer = await with_service_user.revoke(token, ROBOT)
    expired = await with_service_user.revoke(service_user_jwt(with_service_user, exp=1), "other")

    assert (refused.status_code, refused.json()["error"], before) == (401, "invalid_client", True)
    assert (answer.status_code, answer.content) == (200, b"")
    assert [await is_introspected_active(with_service_user, each) for each in (token, another)] == [False, True]
    assert expired.status_code == 200


async def test_revoked_token_stays_inactive_until_it_expires(
    with_service_user: TokenService, clock: FrozenClock
) -> None:
    token = service_user_jwt(with_service_user, aud=["other"])
    await with_service_user.revoke(token, ROBOT)
    clock.tick(3_599)
    await with_service_user.receive_keys()

    assert not await is_introspected_active(with_service_user, token)


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_only_post_is_allowed(service: TokenService, method: str) -> None:
    """Every other method is 405 with a JSON error (TK-21)."""
    answer = await service.http.request(method, REVOKE)

    assert (answer.status_code, answer.json()["error"]) == (405, "invalid_request")
    assert "POST" in answer.headers["allow"]


async def test_malformed_request_is_invalid_request(service: TokenService) -> None:
    for content, media, status in (
        ('{"token":"x"}', "application/json", 415),
        ("token=x&token=x", "application/x-www-form-urlencoded", 400),
        ("token=x&token_type_hint=a&token_type_hint=a", "application/x-www-form-urlencoded", 400),
        ("token=%ff", "application/x-www-form-urlencoded", 400),
    ):
        with row(content, media, status):
            headers: dict[str, Any] = {"Content-Type": media, "Authorization": basic_header("other", SECRET)}
            answer = await service.http.post(REVOKE, content=content, headers=headers)

            assert (answer.status_code, answer.json()["error"]) == (status, "invalid_request")
