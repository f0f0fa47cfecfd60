"""Token exchange of a token that was narrowed by `resource` (decisions 0096 and 0110)."""

from __future__ import annotations

from typing import Final

import pytest
from portico_contracts.users import Api
from portico_fakes.token_service import SECRET, TokenService
from portico_harness.rows import row
from portico_oauth.grant_types import TOKEN_EXCHANGE
from portico_oauth.token_types import ACCESS_TOKEN

ROLES: Final = "urn:portico:project:roles"
ORDERS = Api("orders", ("https://orders.example",), ("read", "orders.write"))
INVOICES = Api("invoices", ("https://invoices.example",), ("read", "invoices.pay"))
BOTH = (*ORDERS.resources, *INVOICES.resources)
SCOPE = ("openid", "offline_access", "read", "orders.write", "invoices.pay", ROLES)


@pytest.fixture(name="service")
def _service(token_service: TokenService) -> TokenService:
    members = ("app", "orders", "pages", "project-1")
    token_service.register("app", grant_types=("authorization_code", "refresh_token"), audience=members)
    token_service.register("orders", grant_types=(TOKEN_EXCHANGE,), audience=members)
    token_service.register("invoices", project_id="theirs", audience=("invoices", "theirs"))
    token_service.users.apis = {"app": (ORDERS, INVOICES), "orders": (ORDERS, INVOICES)}
    token_service.users.audiences = {"theirs": ("invoices", "theirs")}
    return token_service


async def exchanged(service: TokenService, token: str, **target: str) -> list[str]:
    """The scope that orders gets; empty if it gets no token."""
    form = {"grant_type": TOKEN_EXCHANGE, "subject_token": token, "subject_token_type": ACCESS_TOKEN, **target}
    scope: str = (await service.token(form, basic=("orders", SECRET))).json().get("scope", "")
    return scope.split()


@pytest.mark.parametrize("resources", [(), BOTH])
async def test_narrowed_token_gives_no_scope_beyond_its_resource(
    service: TokenService, resources: tuple[str, ...]
) -> None:
    """The scope of the sign-in does not count, at the code and at a refresh."""
    code = service.issue_code("app", scope=SCOPE, resources=resources)
    first = (await service.redeem(code, "app", resource=ORDERS.resources[0])).json()
    refreshed = (await service.refresh(first["refresh_token"], "app", resource=ORDERS.resources[0])).json()
    for tokens in (first, refreshed):
        with row(tokens["scope"]):
            token = tokens["access_token"]

            assert await exchanged(service, token, audience="invoices") == []
            assert await exchanged(service, token, resource=INVOICES.resources[0]) == []
            assert await exchanged(service, token, audience="orders") == ["read", "orders.write", ROLES]
            assert await exchanged(service, token, audience="pages") == []
            assert await exchanged(service, token, audience="project-1") == ["read", "orders.write"]


@pytest.mark.parametrize(("resources", "words"), [((), ["openid", ROLES]), (BOTH, [ROLES])])
async def test_other_token_gives_what_the_sign_in_was_for(
    service: TokenService, resources: tuple[str, ...], words: list[str]
) -> None:
    token = (await service.redeem(service.issue_code("app", scope=SCOPE, resources=resources), "app")).json()
    found = await exchanged(service, token["access_token"], audience="invoices")

    assert sorted(found) == sorted(["read", "invoices.pay", *words])


async def test_token_without_resource_after_a_narrowed_one_is_not_narrowed(service: TokenService) -> None:
    """Each request decides for its own token."""
    code = service.issue_code("app", scope=SCOPE, resources=BOTH)
    narrowed = (await service.redeem(code, "app", resource=ORDERS.resources[0])).json()
    token = (await service.refresh(narrowed["refresh_token"], "app")).json()["access_token"]

    assert await exchanged(service, token, resource=INVOICES.resources[0]) == ["read", "invoices.pay"]
