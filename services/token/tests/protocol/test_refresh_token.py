"""refresh_token at the token endpoint (RFC 6749 §6, OIDC Core §12, RFC 9700 §4.14)."""

from __future__ import annotations

from typing import Any

import httpx
import jwt
import pytest
from portico_contracts.token import REVOKE_SESSION, RevokeSession
from portico_contracts.users import AuthMethod, ProjectAccess
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import CALLBACK, SECRET, USER, TokenService
from portico_harness.rows import row
from portico_oauth.pkce import challenge_of

GRANT_TYPES = ("authorization_code", "refresh_token")
OFFLINE = ("openid", "email", "offline_access")


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    """With the clients ``app`` and ``other``, which may refresh."""
    for name in ("app", "other"):
        token_service.register(name, grant_types=GRANT_TYPES)
    return token_service


async def signed_in(service: TokenService, **code: Any) -> dict[str, Any]:
    """Returns the token set of ``app`` for an offline sign-in."""
    answer = await service.redeem(service.issue_code("app", **{"scope": OFFLINE, **code}), "app")
    tokens: dict[str, Any] = answer.json()
    return tokens


def claims_in(token: str) -> dict[str, Any]:
    """Returns the claims of a JWT without verification."""
    claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return claims


def refused(answer: httpx.Response, error: str = "invalid_grant") -> bool:
    """Checks for a 400 with this error and no-store."""
    return (answer.status_code, answer.json()["error"], answer.headers["cache-control"]) == (400, error, "no-store")


@pytest.mark.parametrize("form", [{}, {"refresh_token": ""}])
async def test_missing_refresh_token_is_invalid_request(service: TokenService, form: dict[str, str]) -> None:
    answer = await service.token({"grant_type": "refresh_token", **form}, basic=("app", SECRET))

    assert refused(answer, "invalid_request")


UNKNOWN: list[str] = ["x", "ab" + "x" * 22 + "." + "y" * 43, "." * 200, "a" * 60_000, "é", "ab" + "x" * 22 + ".."]


async def test_unknown_refresh_token_is_invalid_grant(service: TokenService) -> None:
    for text in UNKNOWN:
        with row(text):
            assert refused(await service.refresh(text, "app"))


async def test_changed_refresh_token_is_unknown(service: TokenService) -> None:
    """A flipped, cut, appended or differently cased token is refused, and the right one stays valid (JW-14)."""
    token = (await signed_in(service))["refresh_token"]
    flipped = [token[:i] + ("A" if token[i] != "A" else "B") + token[i + 1 :] for i in range(len(token))]
    others = [token[:-1], token + "A", token + "=", token.upper(), token.swapcase(), " " + token]

    answers = [await service.refresh(text, "app") for text in (*flipped, *others)]

    assert all(refused(answer) for answer in answers)
    assert (await service.refresh(token, "app")).status_code == 200


async def test_another_clients_refresh_token_is_refused(service: TokenService, bus: MemoryBus) -> None:
    """The response is 400 invalid_grant, and the token is unchanged, spent or not (TK-05, conformance 3.4)."""
    first = await signed_in(service)
    second = (await service.refresh(first["refresh_token"], "app")).json()

    answers = [await service.refresh(one["refresh_token"], "other") for one in (first, second)]

    assert all(refused(answer) for answer in answers)
    assert bus.published == []
    assert (await service.refresh(second["refresh_token"], "app")).status_code == 200


@pytest.mark.parametrize("name", ["access_token", "id_token"])
async def test_other_token_is_not_a_refresh_token(service: TokenService, name: str) -> None:
    """Every kind of token is accepted only for its own purpose, and userinfo accepts no refresh token (P7)."""
    tokens = await signed_in(service)

    assert refused(await service.refresh(tokens[name], "app"))
    assert (await service.userinfo(tokens["refresh_token"])).status_code == 401


async def test_only_offline_access_gives_a_refresh_token(service: TokenService) -> None:
    """The client must be allowed to use it, and otherwise the returned scope omits offline_access (TK-20)."""
    service.register("online")
    without_scope = await service.redeem(service.issue_code("app"), "app")
    without_grant = await service.redeem(service.issue_code("online", scope=OFFLINE), "online")

    assert "refresh_token" not in without_scope.json() | without_grant.json()
    assert without_grant.json()["scope"] == "openid email"


async def test_response_members_are_exact(service: TokenService) -> None:
    """This holds for the code exchange and for each refresh (TK-20, TK-21)."""
    first = await signed_in(service)
    answer = await service.refresh(first["refresh_token"], "app")
    members = {"access_token", "token_type", "expires_in", "scope", "id_token", "refresh_token"}

    assert set(first) == set(answer.json()) == members
    assert (answer.json()["scope"], answer.json()["expires_in"]) == ("openid email offline_access", 3600)
    assert (answer.headers["cache-control"], answer.headers["pragma"]) == ("no-store", "no-cache")


async def test_each_use_rotates_the_refresh_token(service: TokenService) -> None:
    tokens = [await signed_in(service)]
    for _ in range(3):
        tokens.append((await service.refresh(tokens[-1]["refresh_token"], "app")).json())

    assert len({one["refresh_token"] for one in tokens}) == len({one["access_token"] for one in tokens}) == 4
    assert {(await service.userinfo(one["access_token"])).status_code for one in tokens} == {200}


async def test_new_id_token_keeps_the_authentication(service: TokenService, clock: FrozenClock) -> None:
    """The new id_token has a new iat and no nonce, while auth_time, sid, amr, acr, azp and aud stay (OIDC Core
    §12.2).
    """
    first = await signed_in(service, nonce="n", auth_time=int(clock.now()) - 9, amr=("pwd", "otp", "mfa"))
    clock.tick(7)
    second = (await service.refresh(first["refresh_token"], "app")).json()
    before, after = claims_in(first["id_token"]), claims_in(second["id_token"])
    moving = {"iat", "exp", "at_hash"}

    assert before.pop("nonce") == "n"
    assert {name for name in before if before[name] != after.get(name)} == moving
    assert set(before) == set(after)
    assert after["iat"] - before["iat"] == after["exp"] - before["exp"] == 7


WIDER: list[str] = [
    "openid profile",
    "openid email offline_access address",
    "urn:portico:project:roles",
    "openid nope",
    "é",
]


async def test_scope_is_never_wider(service: TokenService) -> None:
    """A wider, unknown or malformed scope is an invalid_scope, and the refresh token is not consumed (TK-13)."""
    for scope in WIDER:
        with row(scope):
            token = (await signed_in(service))["refresh_token"]

            answer = await service.refresh(token, "app", scope=scope)

            assert refused(answer, "invalid_scope")
            assert (await service.refresh(token, "app")).status_code == 200


async def test_requested_scope_may_be_repeated(service: TokenService) -> None:
    """A refresh may name any part of the scope requested at sign-in and gets what was granted of it (RFC 6749 §6)."""
    service.users.audiences.clear()
    elsewhere = "urn:portico:project:id:elsewhere:aud"
    first = await signed_in(service, scope=(*OFFLINE, elsewhere), dropped_scope=("groups", "phone"))
    cases = {
        "everything": (" ".join(("groups", *OFFLINE, elsewhere, "phone")), "openid email offline_access"),
        "a part": ("email groups", "email"),
        "nothing that was granted": (f"groups {elsewhere}", None),
        "a word that was not requested": ("openid groups address", None),
    }

    scopes, token = {}, first["refresh_token"]
    for case, (scope, _) in cases.items():
        answer = await service.refresh(token, "app", scope=scope)
        scopes[case] = answer.json().get("scope")
        token = answer.json().get("refresh_token", token)
        assert answer.status_code == 200 or refused(answer, "invalid_scope"), case

    assert scopes == {case: granted for case, (_, granted) in cases.items()}


async def test_scope_may_be_narrower(service: TokenService) -> None:
    """Only these tokens are narrowed, and the next refresh may request the whole original scope (RFC 6749 §6)."""
    first = await signed_in(service)
    narrow = (await service.refresh(first["refresh_token"], "app", scope="email")).json()
    again = (await service.refresh(narrow["refresh_token"], "app", scope="offline_access email openid")).json()

    assert (narrow["scope"], again["scope"]) == ("email", "offline_access email openid")
    assert ("id_token" in narrow, "id_token" in again) == (False, True)
    assert (await service.userinfo(narrow["access_token"])).status_code == 403


async def test_narrower_scope_removes_a_project_from_the_audience(service: TokenService) -> None:
    aud = "urn:portico:project:id:elsewhere:aud"
    service.users.audiences["elsewhere"] = ("api", "elsewhere")
    service.register("api", project_id="elsewhere", audience=("api", "elsewhere"))
    wide = await signed_in(service, scope=(*OFFLINE, aud))
    narrow = (await service.refresh(wide["refresh_token"], "app", scope="openid")).json()
    response = [(await service.introspect(one["access_token"], "api")).json() for one in (wide, narrow)]

    assert response[0]["aud"] == ["app", "sibling", "project-1", "api", "elsewhere"]
    assert response[1] == {"active": False}


async def test_logout_revokes_the_refresh_token(service: TokenService) -> None:
    tokens = await signed_in(service, session_id="s-9")
    await service.refresh(tokens["refresh_token"], "app")
    ended = await service.bus.call(REVOKE_SESSION, RevokeSession(user_id=USER, session_id="s-9"))

    assert ended.grants == 1
    assert refused(await service.refresh(tokens["refresh_token"], "app"))


async def test_inactive_user_gets_no_tokens(service: TokenService) -> None:
    """The error is invalid_grant, and nothing is consumed, so that a reactivated user can continue (TK-11)."""
    token = (await signed_in(service))["refresh_token"]
    person = service.users.people.pop(USER)
    await service.publish_user_changed()
    gone = await service.refresh(token, "app")
    service.users.people[USER] = person
    await service.publish_user_changed()

    assert refused(gone)
    assert (await service.refresh(token, "app")).status_code == 200


async def test_inactive_client_gets_no_tokens(service: TokenService) -> None:
    """An inactive client is an invalid_client (TK-11)."""
    token = (await signed_in(service))["refresh_token"]
    del service.users.clients["app"]
    await service.publish_app_changed()

    answer = await service.refresh(token, "app")

    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")


async def test_client_not_registered_for_refresh_is_refused(service: TokenService) -> None:
    """A client no longer registered for the grant is an unauthorized_client (TK-19)."""
    token = (await signed_in(service))["refresh_token"]
    service.register("app")
    await service.publish_app_changed()

    assert refused(await service.refresh(token, "app"), "unauthorized_client")


async def test_public_client_refreshes_with_its_id(service: TokenService) -> None:
    service.register("spa", AuthMethod.NONE, grant_types=GRANT_TYPES)
    verifier = "v" * 43
    code = service.issue_code("spa", scope=OFFLINE, challenge=challenge_of(verifier))
    exchange = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "client_id": "spa"}
    first = (await service.token({**exchange, "code_verifier": verifier})).json()

    answer = await service.token(
        {"grant_type": "refresh_token", "refresh_token": first["refresh_token"], "client_id": "spa"}
    )

    assert answer.status_code == 200


@pytest.mark.parametrize("what", ["store", "bus", "keys"])
async def test_unavailable_dependency_keeps_the_refresh_token(
    service: TokenService, grants: MemoryGrants, bus: MemoryBus, clock: FrozenClock, what: str
) -> None:
    """The response is 503 with Retry-After (P2)."""
    token = (await signed_in(service))["refresh_token"]
    clock.tick(60 if what == "keys" else 2)
    grants.down, bus.down = what == "store", what == "bus"
    down = await service.refresh(token, "app")
    grants.down = bus.down = False
    await service.receive_keys()

    assert (down.status_code, down.json()["error"], down.headers["retry-after"]) == (503, "server_error", "1")
    assert (await service.refresh(token, "app")).status_code == 200


@pytest.mark.parametrize(
    ("checks", "enough", "too_little"),
    [
        ({"checks_roles": True}, ProjectAccess(has_role=True), ProjectAccess(has_project=True)),
        ({"checks_project": True}, ProjectAccess(has_project=True), ProjectAccess(has_role=True)),
    ],
    ids=["role", "project"],
)
async def test_user_without_project_access_cannot_refresh(
    token_service: TokenService, checks: dict[str, Any], enough: ProjectAccess, too_little: ProjectAccess
) -> None:
    """The access checks of the project apply to every refresh, and a failed check does not consume the token."""
    client = token_service.register("app", grant_types=GRANT_TYPES, **checks)
    token = (await signed_in(token_service))["refresh_token"]
    place = (USER, client.project_id)
    token_service.users.admissions[place] = too_little
    assert refused(await token_service.refresh(token, "app"))

    token_service.users.admissions[place] = enough
    assert (await token_service.refresh(token, "app")).status_code == 200
