"""An API exchanges the token of a user for one that another API accepts (decision 0096)."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest
from portico_contracts.apply import (
    ApiApp,
    ApiScope,
    Document,
    Email,
    EndUser,
    GrantTypeName,
    OidcApp,
    Organization,
    Password,
    Profile,
    Project,
)
from portico_contracts.http import DISCOVERY
from portico_harness.eventually import eventually
from portico_oauth.grant_types import TOKEN_EXCHANGE
from portico_oauth.token_types import ACCESS_TOKEN, USER_ID
from portico_scenarios.agent import Agent
from portico_scenarios.libraries import authlib_client
from portico_scenarios.participants import ALICE
from portico_scenarios.relying_party import Client, begin, redeem, userinfo
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

SECRET = "the secret of a shop and its two APIs"


class Shop(NamedTuple):
    app: Client
    orders: Client
    stock: Client
    resource: str


@pytest.fixture
async def shop(world: World) -> Shop:
    """An application and two APIs, of which the first may exchange tokens."""
    name = f"exchange-{secrets.token_hex(4)}"
    app = Client(name, f"https://{name}.example/callback", SECRET)
    shop = Shop(app, Client(f"o-{name}", "", SECRET), Client(f"s-{name}", "", SECRET), f"https://{name}.example")
    declared = OidcApp(
        name="Shop",
        client_id=name,
        client_secret=SECRET,
        redirect_uris=(app.redirect_uri,),
        grant_types=(
            GrantTypeName.AUTHORIZATION_CODE,
            GrantTypeName.REFRESH_TOKEN,
            GrantTypeName.TOKEN_EXCHANGE,
        ),
    )
    apis = (
        _api("Orders", shop.orders, f"{name}.orders", token_exchange=True),
        _api("Stock", shop.stock, f"{name}.stock", resources=(shop.resource,)),
    )
    project = Project(name="shop", oidc_apps=(declared,), api_apps=apis)
    await world.stack.apply(Document(organizations=(Organization(id=f"org-{name}", name=name, projects=(project,)),)))
    return shop


def _api(
    name: str, client: Client, scope: str, *, token_exchange: bool = False, resources: tuple[str, ...] = ()
) -> ApiApp:
    return ApiApp(
        name=name,
        client_id=client.client_id,
        client_secret=SECRET,
        scopes=(ApiScope(scope=scope),),
        token_exchange=token_exchange,
        resources=resources,
    )


@pytest.fixture
async def alice(world: World) -> AsyncIterator[Agent]:
    async with world.agent() as agent:
        await agent.sign_in(begin(world.metadata, world.clients["basic"]).url, ALICE.login_name, ALICE.password)
        yield agent


async def test_api_calls_another_api_for_a_user(world: World, alice: Agent, shop: Shop) -> None:
    """Authlib exchanges the token; the new one is for the other API only, and ends with the grant of the first."""
    scope = f"openid offline_access {shop.app.client_id}.orders {shop.app.client_id}.stock"
    begun = begin(world.metadata, shop.app, scope=scope)
    page = await alice.open(begun.url)
    code = (page.returned or {})["code"]
    tokens = (await redeem(world.http, world.metadata, shop.app, code, code_verifier=begun.verifier)).json()
    async with authlib_client(world.issuer, shop.orders, "") as client:
        exchanged = dict(
            await client.fetch_token(
                world.metadata["token_endpoint"],
                grant_type=TOKEN_EXCHANGE,
                subject_token=tokens["access_token"],
                subject_token_type=ACCESS_TOKEN,
                resource=shop.resource,
            )
        )
    askers = (shop.stock, shop.orders, shop.app)
    shown = [(await world.ask("introspection_endpoint", one, token=exchanged["access_token"])).json() for one in askers]
    await world.ask("revocation_endpoint", shop.app, token=tokens["refresh_token"])
    after = (await world.ask("introspection_endpoint", shop.stock, token=exchanged["access_token"])).json()

    assert exchanged["issued_token_type"] == ACCESS_TOKEN
    assert exchanged["scope"] == f"{shop.app.client_id}.stock"
    assert (shown[0]["aud"], shown[0]["client_id"]) == ([shop.resource, shop.stock.client_id], shop.orders.client_id)
    assert [one["active"] for one in shown] == [True, False, False]
    assert after == {"active": False}


async def test_discovery_lists_the_grant_while_an_application_has_it(world: World, shop: Shop) -> None:
    """Within the second in which applications are cached; the installation of the tests has no other."""

    async def listed() -> list[str]:
        grant_types: list[str] = (await world.http.get(world.issuer + DISCOVERY)).json()["grant_types_supported"]
        return grant_types

    await eventually(listed, lambda found: TOKEN_EXCHANGE in found)


async def test_support_acts_for_a_user(world: World, shop: Shop) -> None:
    """An exchange needs the permission and the switch; the token names both users, and opens userinfo."""
    name = shop.app.client_id
    password = Password(password="a lantern for the support staff")
    staff, user = (
        EndUser(
            id=f"{who}-{name}",
            username=f"{who}-{name}",
            profile=Profile(first_name=who, last_name="Lee"),
            email=Email(email=f"{who}-{name}@mail.example", is_verified=True),
            password=password,
            roles=roles,
        )
        for who, roles in (("staff", ("ORG_END_USER_IMPERSONATOR",)), ("user", ()))
    )
    org = Organization(id=f"org-{name}", name=name, humans=(staff, user))
    await world.stack.apply(Document(allow_impersonation=True, organizations=(org,)))
    async with world.agent() as agent:
        begun = begin(world.metadata, shop.app)
        page = await agent.sign_in(begun.url, f"staff-{name}", password.password)
    code = (page.returned or {})["code"]
    tokens = (await redeem(world.http, world.metadata, shop.app, code, code_verifier=begun.verifier)).json()
    form = {
        "grant_type": TOKEN_EXCHANGE,
        "subject_token": f"user-{name}",
        "subject_token_type": USER_ID,
        "actor_token": tokens["access_token"],
        "actor_token_type": ACCESS_TOKEN,
        "audience": shop.app.client_id,
        "scope": "openid profile",
    }
    acting = (await world.ask("token_endpoint", shop.app, **form)).json()
    swapped = form | {"subject_token": f"staff-{name}"}
    refused = await world.ask("token_endpoint", shop.app, **swapped)
    shown = (await world.ask("introspection_endpoint", shop.app, token=acting["access_token"])).json()
    person = (await userinfo(world.http, world.metadata, acting["access_token"])).json()

    assert (shown["sub"], shown["act"]) == (f"user-{name}", {"sub": f"staff-{name}"})
    assert (person["sub"], acting["expires_in"] <= 3_600) == (f"user-{name}", True)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_request")
