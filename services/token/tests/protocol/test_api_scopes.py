"""Scopes of APIs: who gets them, and the audience of tokens with them (decision 0092)."""

from __future__ import annotations

import pytest
from portico_contracts.users import Api
from portico_fakes.token_service import TokenService

ORDERS = Api(client_id="orders", resources=("https://orders.example",), scopes=("orders.read", "orders.write"))
INVOICES = Api(client_id="invoices", scopes=("invoices.read",))


@pytest.fixture(name="service")
def _service(token_service: TokenService) -> TokenService:
    token_service.register("app", grant_types=("authorization_code", "refresh_token"))
    token_service.register("orders", project_id="theirs", org_id="org-2", audience=("orders", "theirs"))
    token_service.register_service_user("robot")
    token_service.users.apis = {"app": (ORDERS, INVOICES), "robot": (ORDERS,)}
    return token_service


async def test_token_is_for_the_apis_of_its_scopes(service: TokenService) -> None:
    """The audience has the API and its resource, not the other API; the API introspects the scope."""
    scope = ("openid", "offline_access", "orders.read")
    tokens = (await service.redeem(service.issue_code("app", scope=scope), "app")).json()
    refreshed = (await service.refresh(tokens["refresh_token"], "app")).json()
    about = [(await service.introspect(one["access_token"], "orders")).json() for one in (tokens, refreshed)]

    assert (tokens["scope"], refreshed["scope"]) == (" ".join(scope), " ".join(scope))
    audience = ["app", "sibling", "project-1", "orders", "https://orders.example"]
    assert [one["aud"] for one in about] == [audience, audience]
    assert about[0]["scope"] == " ".join(scope)


async def test_refresh_narrows_to_one_api(service: TokenService) -> None:
    """A refresh may name a part of the scopes, and the token is then for their APIs only."""
    scope = ("openid", "offline_access", "orders.read", "invoices.read")
    tokens = (await service.redeem(service.issue_code("app", scope=scope), "app")).json()
    refreshed = (await service.refresh(tokens["refresh_token"], "app", scope="invoices.read")).json()
    about = (await service.introspect(refreshed["access_token"], "app")).json()

    assert refreshed["scope"] == "invoices.read"
    assert about["aud"] == ["app", "sibling", "project-1", "invoices"]
    assert (await service.introspect(refreshed["access_token"], "orders")).json() == {"active": False}


async def test_removed_scope_is_dropped_at_redemption_and_refresh(service: TokenService) -> None:
    """An API that lost a scope, or that the client may no longer use, is not in new tokens."""
    code = service.issue_code("app", scope=("openid", "offline_access", "orders.read", "orders.write"))
    service.users.apis["app"] = (Api(client_id="orders", scopes=("orders.read",)),)
    tokens = (await service.redeem(code, "app")).json()
    service.users.apis["app"] = ()
    await service.publish_app_changed()
    refreshed = (await service.refresh(tokens["refresh_token"], "app")).json()

    assert (tokens["scope"], refreshed["scope"]) == ("openid offline_access orders.read", "openid offline_access")


async def test_service_user_gets_scopes_of_its_apis_only(service: TokenService) -> None:
    """The token is for the API; a scope of another API is refused like an unknown word, without a token."""
    answer = (await service.client_credentials("robot", scope="orders.write")).json()
    about = (await service.introspect(answer["access_token"], "orders")).json()
    foreign = await service.client_credentials("robot", scope="orders.write invoices.read")

    assert (about["aud"], about["scope"]) == (["orders", "https://orders.example"], "orders.write")
    assert (foreign.status_code, foreign.json()["error"]) == (400, "invalid_scope")
