"""Acting for a user (RFC 8693 section 1.1, decision 0096)."""

from __future__ import annotations

from typing import Any

import httpx
import jwt
import pytest
from portico_contracts.token import AUTHENTICATE_BEARER, AuthenticateBearer
from portico_contracts.users import ACT_FOR_USER, AccessTokenType, Api, TokenLifetimes, User, UserClaims
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import SECRET, USER, TokenService
from portico_harness.rows import row
from portico_oauth.grant_types import TOKEN_EXCHANGE
from portico_oauth.token_types import ACCESS_TOKEN, USER_ID
from portico_token.grants import acting as module

GRACE = "user-grace"
STOCK = Api(client_id="stock", resources=("https://stock.example",), scopes=("stock.read",))
GRANT_TYPES = ("authorization_code", TOKEN_EXCHANGE)


@pytest.fixture(name="service")
def _service(token_service: TokenService) -> TokenService:
    """An application for support staff; Grace may act for the user."""
    grace = User(user_id=GRACE, org_id="org-1", user_name="grace", login_name="grace@example.test", human=True)
    token_service.users.people[GRACE] = UserClaims(user=grace)
    token_service.users.may_act = {(GRACE, USER)}
    token_service.register("support", grant_types=GRANT_TYPES, audience=("support", "project-1"))
    token_service.register("stock", project_id="project-2", audience=("stock", "project-2"))
    token_service.register("other", grant_types=GRANT_TYPES, project_id="project-3", audience=("other", "project-3"))
    token_service.users.apis = {"support": (STOCK,)}
    return token_service


async def token_of_grace(service: TokenService, client: str = "support") -> str:
    token: str = (await service.redeem(service.issue_code(client, user_id=GRACE), client)).json()["access_token"]
    return token


async def act(service: TokenService, actor_token: str, /, **changes: str | None) -> httpx.Response:
    """Requests a token for the user; a change of None omits a parameter."""
    form = {
        "grant_type": TOKEN_EXCHANGE,
        "subject_token": USER,
        "subject_token_type": USER_ID,
        "actor_token": actor_token,
        "actor_token_type": ACCESS_TOKEN,
        "audience": "stock",
        "scope": "openid stock.read",
        **changes,
    }
    sent = {name: value for name, value in form.items() if value is not None}
    return await service.token(sent, basic=("support", SECRET))


async def acting(service: TokenService, **changes: str | None) -> dict[str, Any]:
    answer = await act(service, await token_of_grace(service), **changes)
    assert answer.status_code == 200, answer.text
    tokens: dict[str, Any] = answer.json()
    return tokens


def error_of(answer: httpx.Response) -> str:
    assert answer.status_code == 400, answer.text
    error: str = answer.json()["error"]
    return error


async def test_token_names_the_user_and_the_actor(service: TokenService) -> None:
    """The token is for the named API only; introspection shows `act`, and users recorded the exchange once."""
    tokens = await acting(service)
    shown = (await service.introspect(tokens["access_token"], "stock")).json()

    assert set(tokens) == {"access_token", "token_type", "expires_in", "scope", "issued_token_type"}
    assert (shown["sub"], shown["act"], shown["client_id"]) == (USER, {"sub": GRACE}, "support")
    assert (shown["aud"], shown["scope"]) == (["stock", "https://stock.example"], "openid stock.read")
    [recorded] = service.users.acted
    assert (recorded.actor_id, recorded.user_id, recorded.client_id) == (GRACE, USER, "support")


async def test_jwt_has_the_actor(service: TokenService) -> None:
    settings: dict[str, Any] = {"access_token_type": AccessTokenType.JWT, "access_token_acr": True}
    service.register("support", grant_types=GRANT_TYPES, audience=("support",), **settings)
    claims = jwt.decode((await acting(service))["access_token"], options={"verify_signature": False})

    assert (claims["sub"], claims["act"], claims["client_id"]) == (USER, {"sub": GRACE}, "support")
    assert not {"acr", "auth_time"} & set(claims)


async def test_token_is_valid_for_an_hour_at_most(service: TokenService, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long other tokens are, and shorter where the instance has a shorter lifetime."""
    assert module.LONGEST_SECONDS == 3_600
    for longest, expected in ((3_600, 1_800), (900, 900)):
        monkeypatch.setattr(module, "LONGEST_SECONDS", longest)
        limits = TokenLifetimes(
            access_token_seconds=1_800, id_token_seconds=600, refresh_idle_seconds=600, refresh_seconds=600
        )
        service.register("support", grant_types=GRANT_TYPES, audience=("support",), lifetimes=limits)
        await service.publish_app_changed()

        assert (await acting(service))["expires_in"] == expected


async def test_exchange_of_the_token_keeps_the_actor(service: TokenService) -> None:
    """A service that receives it may call the next one, for the user and with the same actor."""
    service.register("stock", grant_types=(TOKEN_EXCHANGE,), project_id="project-2", audience=("stock", "project-2"))
    form = {"subject_token": (await acting(service))["access_token"], "subject_token_type": ACCESS_TOKEN}
    sent = {"grant_type": TOKEN_EXCHANGE, "audience": "project-2", **form}
    token = (await service.token(sent, basic=("stock", SECRET))).json()["access_token"]

    assert (await service.introspect(token, "stock")).json()["act"] == {"sub": GRACE}


async def test_our_api_refuses_the_token(service: TokenService, bus: MemoryBus) -> None:
    """Userinfo accepts it; the management API does not, for any audience and client."""
    service.register("support", grant_types=GRANT_TYPES, audience=("support",), management_access=True)
    token = (await acting(service, audience="support", scope="openid"))["access_token"]
    bearer = await bus.call(AUTHENTICATE_BEARER, AuthenticateBearer(token=token, audience="support"))

    assert (await service.userinfo(token)).json() == {"sub": USER}
    assert bearer.bearer is None


async def test_lock_of_either_user_ends_the_token(service: TokenService) -> None:
    """The user for whom the actor acts, and the actor."""
    for user_id in (USER, GRACE):
        token = (await acting(service))["access_token"]
        person = service.users.people.pop(user_id)
        await service.publish_user_changed(user_id)
        assert (await service.introspect(token, "stock")).json() == {"active": False}
        service.users.people[user_id] = person
        await service.publish_user_changed(user_id)


OTHER_REQUESTS: list[tuple[dict[str, str | None], str]] = [
    ({"actor_token": None}, "invalid_request"),
    ({"actor_token": "unknown"}, "invalid_request"),
    ({"actor_token_type": None}, "invalid_request"),
    ({"actor_token_type": "urn:ietf:params:oauth:token-type:id_token"}, "invalid_request"),
    ({"subject_token": "nobody"}, "invalid_request"),
    ({"subject_token": GRACE}, "invalid_request"),
    ({"subject_token": "x" * 5_000}, "invalid_request"),
    ({"requested_token_type": "urn:ietf:params:oauth:token-type:id_token"}, "invalid_request"),
    ({"scope": None}, "invalid_request"),
    ({"audience": None}, "invalid_request"),
    ({"audience": "portico"}, "invalid_target"),
    ({"audience": "other"}, "invalid_target"),
    ({"scope": "offline_access"}, "invalid_scope"),
    ({"scope": "orders.read"}, "invalid_scope"),
]


async def test_other_request_to_act_is_refused(service: TokenService, grants: MemoryGrants) -> None:
    """No grant is stored, and the user is not notified."""
    token = await token_of_grace(service)
    before = set(grants.held)
    for changes, error in OTHER_REQUESTS:
        with row(changes):
            assert error_of(await act(service, token, **changes)) == error
            assert (set(grants.held), service.users.acted) == (before, [])


async def test_actor_token_must_be_of_a_sign_in_to_the_client(service: TokenService) -> None:
    """A token for another client (toolhive #6331), of a service user, or with which the actor acts already is refused."""
    service.register_service_user("robot")
    service.users.may_act |= {("robot", USER), (USER, GRACE)}
    service.users.apis["robot"] = (Api(client_id="support", scopes=("support.use",)),)
    tokens = [
        await token_of_grace(service, "other"),
        (await service.client_credentials("robot", scope="support.use")).json()["access_token"],
    ]
    acted = (await acting(service, audience="support", scope="openid"))["access_token"]

    assert [error_of(await act(service, token)) for token in tokens] == ["invalid_request"] * 2
    assert error_of(await act(service, acted, subject_token=GRACE)) == "invalid_request"


async def test_lock_during_the_decision_leaves_no_token(
    service: TokenService, grants: MemoryGrants, clock: FrozenClock
) -> None:
    """A user who is revoked after the decision gets no grant."""
    token = await token_of_grace(service)

    class Revoking(set[tuple[str, str]]):
        def __contains__(self, _pair: object) -> bool:
            grants.users_ended[USER] = int(clock.now() * 1000)
            return True

    service.users.may_act = Revoking()

    assert error_of(await act(service, token)) == "invalid_grant"


async def test_acting_without_users_is_unavailable(service: TokenService, grants: MemoryGrants, bus: MemoryBus) -> None:
    """The response is 503, and no grant is stored."""
    token = await token_of_grace(service)
    await acting(service)
    before = set(grants.held)
    bus.silent.add(ACT_FOR_USER.subject)
    answer = await act(service, token)

    assert (answer.status_code, set(grants.held)) == (503, before)
