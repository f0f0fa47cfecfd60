"""Token exchange (RFC 8693): tokens for services that call services (decision 0096)."""

from __future__ import annotations

from typing import Any

import httpx
import jwt
import pytest
from portico_contracts.token import AUTHENTICATE_BEARER, AuthenticateBearer
from portico_contracts.users import AccessTokenType, Api, AuthMethod, ProjectAccess
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.service_user_jwt import ROBOT, service_user_jwt
from portico_fakes.token_service import SECRET, USER, TokenService
from portico_harness.rows import row
from portico_oauth.grant_types import TOKEN_EXCHANGE
from portico_token.grants.token_exchange import NOT_OF_A_SIGN_IN
from portico_token.issuing import issuer

ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
ORDERS = Api(client_id="orders", resources=("https://orders.example",), scopes=("orders.read", "orders.write"))
STOCK = Api(client_id="stock", resources=("https://stock.example", "https://stock.example/v2"), scopes=("stock.read",))
SCOPE = ("openid", "offline_access", "orders.read", "stock.read")


@pytest.fixture(name="service")
def _service(token_service: TokenService) -> TokenService:
    """An application that users sign in to, and the API of orders, which calls the API of stock."""
    members = ("app", "orders", "project-1")
    token_service.register("app", grant_types=("authorization_code", "refresh_token"), audience=members)
    token_service.register("orders", grant_types=(TOKEN_EXCHANGE,), audience=members)
    for name, project in (("stock", "project-2"), ("alien", "project-3")):
        token_service.register(name, project_id=project, audience=(name, project))
    token_service.users.apis = {"app": (ORDERS, STOCK), "orders": (STOCK,)}
    token_service.users.audiences = {"project-2": ("stock", "pages", "project-2"), "project-3": ("alien", "project-3")}
    token_service.users.foreign = {"project-3"}
    return token_service


async def signed_in(service: TokenService, scope: tuple[str, ...] = SCOPE, **code: Any) -> dict[str, Any]:
    """Returns the tokens of a sign-in to the application."""
    tokens: dict[str, Any] = (await service.redeem(service.issue_code("app", scope=scope, **code), "app")).json()
    return tokens


async def exchange(
    service: TokenService, token: str, client: str = "orders", /, **changes: str | None
) -> httpx.Response:
    """Exchanges a token; a change of None omits a parameter."""
    form = {"subject_token": token, "subject_token_type": ACCESS_TOKEN, "audience": "stock", **changes}
    sent = {name: value for name, value in form.items() if value is not None}
    return await service.token({"grant_type": TOKEN_EXCHANGE, **sent}, basic=(client, SECRET))


async def exchanged(service: TokenService, **changes: str | None) -> dict[str, Any]:
    """Returns the response to the exchange of a new token."""
    answer = await exchange(service, (await signed_in(service))["access_token"], **changes)
    assert answer.status_code == 200, answer.text
    tokens: dict[str, Any] = answer.json()
    return tokens


def error_of(answer: httpx.Response) -> str:
    assert (answer.status_code, answer.headers["cache-control"]) == (400, "no-store")
    error: str = answer.json()["error"]
    return error


async def about(service: TokenService, token: str, caller: str = "stock") -> dict[str, Any]:
    response: dict[str, Any] = (await service.introspect(token, caller)).json()
    return response


async def test_token_for_the_next_api(service: TokenService, clock: FrozenClock) -> None:
    """The token is for the API only, of the client that exchanged, with the scopes of the API; nothing else is issued."""
    tokens = await exchanged(service)
    shown = await about(service, tokens["access_token"])

    assert set(tokens) == {"access_token", "token_type", "expires_in", "scope", "issued_token_type"}
    assert (tokens["token_type"], tokens["issued_token_type"]) == ("Bearer", ACCESS_TOKEN)
    assert tokens["scope"] == shown["scope"] == "openid stock.read"
    assert shown["aud"] == ["stock", *STOCK.resources]
    assert (shown["sub"], shown["client_id"]) == (USER, "orders")
    assert await about(service, tokens["access_token"], "app") == {"active": False}
    assert await about(service, tokens["access_token"], "orders") == {"active": False}


TARGETS: list[tuple[dict[str, str | None], list[str]]] = [
    ({"audience": None, "resource": "https://STOCK.example/"}, ["https://stock.example", "stock"]),
    ({"resource": "https://stock.example"}, ["https://stock.example", "stock", *STOCK.resources[1:]]),
    ({"audience": "project-2"}, ["stock", "pages", "project-2"]),
    ({"audience": "pages"}, ["pages"]),
    ({"audience": "app"}, ["app"]),
    ({"audience": "project-1"}, ["app", "orders", "project-1"]),
]


async def test_audience_and_resource_name_the_target(service: TokenService) -> None:
    """An API by client id or resource, a project, or a member of one; never more than was named."""
    for changes, audience in TARGETS:
        with row(changes, audience):
            service.register("pages", project_id="project-2")
            tokens = await exchanged(service, **changes)
            caller = next(member for member in audience if not member.startswith("https:"))

            assert (await about(service, tokens["access_token"], caller))["aud"] == audience
            assert ("openid" in tokens["scope"]) is ("resource" not in changes)


FOREIGN_TARGETS: list[dict[str, str | None]] = [
    {"audience": "alien"},
    {"audience": "project-3"},
    {"audience": "nobody"},
    {"audience": "https://stock.example"},
    {"audience": "portico"},
    {"audience": "x" * 5_000},
    {"audience": "a:b c\n"},
    {"resource": "https://stock.example/x"},
    {"resource": "https://alien.example"},
    {"audience": None, "resource": "https://orders.example"},
    {"audience": None, "resource": "stock"},
]


async def test_foreign_target_is_refused(service: TokenService) -> None:
    """Unknown and foreign targets look alike, even beside a permitted one (Keycloak #51000, #51004)."""
    for changes in FOREIGN_TARGETS:
        with row(changes):
            token = (await signed_in(service))["access_token"]

            assert error_of(await exchange(service, token, **changes)) == "invalid_target"


async def test_portico_itself_is_no_target(service: TokenService) -> None:
    """Portico is refused as a target even for an application with management access."""
    service.register("orders", grant_types=(TOKEN_EXCHANGE,), audience=("app", "orders"), management_access=True)
    token = (await signed_in(service))["access_token"]

    assert error_of(await exchange(service, token, audience="portico")) == "invalid_target"


REFUSED: list[tuple[dict[str, str | None], str]] = [
    ({"subject_token": None}, "invalid_request"),
    ({"subject_token": ""}, "invalid_request"),
    ({"subject_token": "unknown"}, "invalid_request"),
    ({"subject_token_type": None}, "invalid_request"),
    ({"subject_token_type": "urn:ietf:params:oauth:token-type:id_token"}, "invalid_request"),
    ({"subject_token_type": "urn:ietf:params:oauth:token-type:refresh_token"}, "invalid_request"),
    ({"requested_token_type": "urn:ietf:params:oauth:token-type:refresh_token"}, "invalid_request"),
    ({"requested_token_type": "urn:ietf:params:oauth:token-type:saml2"}, "invalid_request"),
    ({"audience": None}, "invalid_request"),
    ({"actor_token": "x"}, "invalid_request"),
    ({"actor_token_type": ACCESS_TOKEN}, "invalid_request"),
    ({"authorization_details": "[]"}, "invalid_request"),
    ({"requested_subject": "user-2"}, "invalid_request"),
    ({"subject_issuer": "https://other.example"}, "invalid_request"),
    ({"expires_in": "60"}, "invalid_request"),
    ({"scope": "openid orders.read"}, "invalid_scope"),
    ({"scope": "stock.write"}, "invalid_scope"),
    ({"scope": "openid email"}, "invalid_scope"),
    ({"scope": "offline_access"}, "invalid_scope"),
    ({"scope": "urn:portico:project:id:portico:aud"}, "invalid_scope"),
]


async def test_what_cannot_be_had_is_refused(service: TokenService, grants: MemoryGrants) -> None:
    """Nothing is ignored, and no token is issued instead (CVE-2026-9704, authentik #23900)."""
    for changes, error in REFUSED:
        with row(changes, error):
            token = (await signed_in(service))["access_token"]
            before = {grant_id: len(held.tokens) for grant_id, held in grants.held.items()}

            assert error_of(await exchange(service, token, **changes)) == error
            assert {grant_id: len(held.tokens) for grant_id, held in grants.held.items()} == before


async def test_repeated_parameter_is_refused(service: TokenService) -> None:
    """One of several targets is never chosen silently."""
    for name in ("subject_token", "audience", "requested_token_type"):
        with row(name):
            token = (await signed_in(service))["access_token"]
            form = {
                "grant_type": TOKEN_EXCHANGE,
                "subject_token": token,
                "subject_token_type": ACCESS_TOKEN,
                "audience": "stock",
            }
            body = f"{httpx.QueryParams(form)}&{name}=https://stock.example&{name}=https://alien.example"

            assert error_of(await service.token(body, basic=("orders", SECRET))) == "invalid_request"


async def test_subject_token_must_be_for_the_client(service: TokenService) -> None:
    """Neither a token that another client received, nor one that was exchanged for another API (Keycloak #51000)."""
    service.register("thief", grant_types=(TOKEN_EXCHANGE,), project_id="project-4", audience=("thief", "project-4"))
    service.users.apis["thief"] = (STOCK,)
    token = (await signed_in(service))["access_token"]
    narrowed = (await exchange(service, token)).json()["access_token"]

    answers = [await exchange(service, token, "thief"), await exchange(service, narrowed, "orders")]

    assert [error_of(answer) for answer in answers] == ["invalid_request"] * 2
    assert {answer.json()["error_description"] for answer in answers} == {
        (await exchange(service, "unknown")).json()["error_description"]
    }


@pytest.mark.parametrize("name", ["refresh_token", "id_token"])
async def test_token_of_another_type_is_refused(service: TokenService, name: str) -> None:
    """Refresh tokens and id_tokens are refused whatever type the client states."""
    assert error_of(await exchange(service, (await signed_in(service))[name])) == "invalid_request"


async def test_client_without_the_grant_is_refused(service: TokenService) -> None:
    """Off by default (TK-19); a public client never has it, because every caller can name one."""
    service.register("public", AuthMethod.NONE, grant_types=(TOKEN_EXCHANGE,), audience=("public",))
    token = (await signed_in(service))["access_token"]
    form = {"grant_type": TOKEN_EXCHANGE, "subject_token": token, "subject_token_type": ACCESS_TOKEN, "audience": "app"}

    assert error_of(await exchange(service, token, "app")) == "unauthorized_client"
    assert (await service.token({**form, "client_id": "public"})).json()["error"] == "invalid_client"


async def test_expiry_is_not_after_that_of_the_subject(service: TokenService, clock: FrozenClock) -> None:
    tokens = await signed_in(service)
    clock.tick(tokens["expires_in"] - 10)
    answer = (await exchange(service, tokens["access_token"])).json()
    clock.tick(10)

    assert answer["expires_in"] == 10
    assert await about(service, answer["access_token"]) == {"active": False}
    assert error_of(await exchange(service, tokens["access_token"])) == "invalid_request"


async def test_grant_of_the_subject_ends_both(service: TokenService, grants: MemoryGrants) -> None:
    """Whatever ends the sign-in ends what was exchanged for it."""
    tokens = await signed_in(service)
    answer = (await exchange(service, tokens["access_token"])).json()
    await service.revoke(tokens["refresh_token"], "app")

    assert await about(service, answer["access_token"]) == {"active": False}


@pytest.mark.parametrize("client_id", ["app", "orders"])
async def test_deactivated_application_ends_the_token(service: TokenService, client_id: str) -> None:
    """Deactivating either application ends it: the one that the user signed in to, or the one that exchanged."""
    answer = await exchanged(service)
    del service.users.clients[client_id]
    await service.publish_app_changed()

    assert await about(service, answer["access_token"]) == {"active": False}


async def test_token_is_revoked_by_the_client_that_exchanged(service: TokenService) -> None:
    """Alone: the token of the application stays active."""
    tokens = await signed_in(service)
    answer = (await exchange(service, tokens["access_token"])).json()
    by_app = await service.revoke(answer["access_token"], "app")
    by_orders = await service.revoke(answer["access_token"], "orders")

    assert (by_app.status_code, by_orders.status_code) == (401, 200)
    assert await about(service, answer["access_token"]) == {"active": False}
    assert (await about(service, tokens["access_token"], "app"))["active"]


async def test_jwt_names_the_client_that_exchanged(service: TokenService) -> None:
    """A JWT subject too; the claims are those of RFC 9068, for the new audience."""
    for name, kind in (("app", "authorization_code"), ("orders", TOKEN_EXCHANGE)):
        service.register(name, grant_types=(kind,), audience=("app", "orders"), access_token_type=AccessTokenType.JWT)
    answer = await exchanged(service)
    claims = jwt.decode(answer["access_token"], options={"verify_signature": False})

    assert (claims["aud"], claims["client_id"], claims["sub"]) == (["stock", *STOCK.resources], "orders", USER)
    assert (claims["scope"], claims["exp"] - claims["iat"]) == ("openid stock.read", answer["expires_in"])
    assert (await about(service, answer["access_token"]))["active"]


async def test_exchanged_token_opens_userinfo_and_not_our_api(service: TokenService, bus: MemoryBus) -> None:
    """The management API refuses it whatever its audience and client; claims requested by the application are absent."""
    service.register("orders", grant_types=(TOKEN_EXCHANGE,), audience=("app", "orders"), management_access=True)
    token = (await exchanged(service, audience="orders"))["access_token"]
    bearer = await bus.call(AUTHENTICATE_BEARER, AuthenticateBearer(token=token, audience="orders"))

    assert (await service.userinfo(token)).json() == {"sub": USER}
    assert bearer.bearer is None


async def test_chain_of_services_only_narrows(service: TokenService) -> None:
    """Each service exchanges the token it received; the last ends with the first."""
    service.register("stock", grant_types=(TOKEN_EXCHANGE,), project_id="project-2", audience=("stock", "project-2"))
    service.users.apis["stock"] = (ORDERS,)
    tokens = await signed_in(service)
    second = (await exchange(service, tokens["access_token"])).json()["access_token"]
    third = await exchange(service, second, "stock", audience="orders")
    wider = await exchange(service, second, "stock", audience="orders", scope="orders.read")
    await service.revoke(tokens["refresh_token"], "app")

    assert third.json()["scope"] == "openid"
    assert error_of(wider) == "invalid_scope"
    assert await about(service, third.json()["access_token"], "orders") == {"active": False}


async def test_tokens_of_service_users_are_refused(service: TokenService) -> None:
    """Service users request tokens themselves, and their JWTs have no grant with which a new token could end."""
    opaque = "robot-of-orders"
    service.register_service_user(ROBOT)
    service.register_service_user(opaque)
    service.users.apis |= {ROBOT: (ORDERS,), opaque: (ORDERS,)}
    tokens = [
        (await service.client_credentials(opaque, scope="orders.read")).json()["access_token"],
        service_user_jwt(service, aud=["orders"], scope="orders.read"),
    ]

    refused = [await exchange(service, token) for token in tokens]

    wanted = ("invalid_request", NOT_OF_A_SIGN_IN.text)
    assert [(error_of(answer), answer.json()["error_description"]) for answer in refused] == [wanted] * 2


async def test_user_without_access_to_the_project_is_refused(service: TokenService) -> None:
    """An exchange checks the project like a sign-in and a refresh."""
    service.register("orders", grant_types=(TOKEN_EXCHANGE,), audience=("app", "orders"), checks_roles=True)
    token = (await signed_in(service))["access_token"]
    service.users.admissions[USER, "project-1"] = ProjectAccess(has_project=True, has_role=False)

    assert error_of(await exchange(service, token)) == "invalid_request"


async def test_number_of_live_tokens_is_limited(service: TokenService, monkeypatch: pytest.MonkeyPatch) -> None:
    """The response is 429 with Retry-After, and the sign-in stays usable."""
    monkeypatch.setattr(issuer, "MOST_EXCHANGED", 2)
    token = (await signed_in(service))["access_token"]
    answers = [await exchange(service, token) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert "retry-after" in answers[2].headers
    assert (await about(service, token, "app"))["active"]


async def test_exchange_without_store_is_unavailable(service: TokenService, grants: MemoryGrants) -> None:
    """The response is 503, and no token was added."""
    token = (await signed_in(service))["access_token"]
    [held] = grants.held.values()
    grants.down = True
    answer = await exchange(service, token)

    assert (answer.status_code, answer.json()["error"]) == (503, "server_error")
    assert len(held.tokens) == 1
