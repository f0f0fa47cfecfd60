"""A client by metadata document that one of several organizations turns off (decision 0112)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from portico_contracts import http
from portico_contracts.users import Api, AuthMethod, ClientKind
from portico_fakes.token_service import CALLBACK, SECRET, TokenService
from portico_oauth.grant_types import TOKEN_EXCHANGE
from portico_oauth.pkce import challenge_of

URL = "https://agent.example/client.json"
VERIFIER = "v" * 43
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
GRANTS = ("authorization_code", "refresh_token")


@pytest.fixture(name="service")
def _service(token_service: TokenService) -> TokenService:
    """Two organizations accept the client; an API of each can exchange tokens."""
    apis = []
    for org_id in ("org-1", "org-2"):
        api = f"api-{org_id}"
        resource = f"https://{org_id}.example"
        token_service.register(api, kind=ClientKind.API, grant_types=(TOKEN_EXCHANGE,), redirect_uris=(), org_id=org_id)
        token_service.users.documents.resource_owners[resource] = org_id
        apis.append(Api(api, (resource,), ("read",)))
    token_service.users.documents.clients[URL] = {
        org_id: token_service.register(
            URL, AuthMethod.NONE, org_id=org_id, project_id=f"p-{org_id}", audience=(URL,), grant_types=GRANTS
        )
        for org_id in ("org-1", "org-2")
    }
    token_service.users.apis = {URL: tuple(apis), "api-org-1": (apis[1],), "api-org-2": (apis[0],)}
    return token_service


def code_for(service: TokenService, org_id: str, **grant: Any) -> str:
    values = {
        "scope": ("openid", "offline_access", "read"),
        "resources": (f"https://{org_id}.example",),
        "client_org_id": org_id,
        **grant,
    }
    return service.issue_code(URL, challenge=challenge_of(VERIFIER), **values)


async def redeem(service: TokenService, code: str) -> dict[str, Any]:
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "code_verifier": VERIFIER}
    return dict((await service.token({**form, "client_id": URL})).json())


async def refresh(service: TokenService, token: str) -> dict[str, Any]:
    form = {"grant_type": "refresh_token", "refresh_token": token, "client_id": URL}
    return dict((await service.token(form)).json())


async def exchange(service: TokenService, token: str, caller: str) -> dict[str, Any]:
    form = {"grant_type": TOKEN_EXCHANGE, "subject_token": token, "subject_token_type": ACCESS_TOKEN}
    return dict((await service.token({**form, "audience": caller}, basic=(caller, SECRET))).json())


async def turn_off(service: TokenService, org_id: str) -> None:
    service.users.documents.clients[URL][org_id] = None
    await service.publish_app_changed()


async def test_turned_off_client_gets_no_tokens(service: TokenService) -> None:
    """Neither for a code nor for a refresh token of this organization; those of the other one stay usable."""
    kept = await redeem(service, code_for(service, "org-2"))
    lost = await redeem(service, code_for(service, "org-1"))
    codes = [code_for(service, name) for name in ("org-1", "org-2")]
    await turn_off(service, "org-1")
    redeemed = [await redeem(service, code) for code in codes]
    refreshed = [await refresh(service, tokens["refresh_token"]) for tokens in (lost, kept)]

    assert [answer.get("error") for answer in redeemed] == ["invalid_grant", None]
    assert [answer.get("error") for answer in refreshed] == ["invalid_grant", None]


async def test_turned_off_client_has_no_active_tokens(service: TokenService) -> None:
    """Each API sees its own: introspection, and an exchange of the token."""
    tokens = {name: (await redeem(service, code_for(service, name)))["access_token"] for name in ("org-1", "org-2")}
    await turn_off(service, "org-2")
    seen = {name: (await service.introspect(token, f"api-{name}")).json() for name, token in tokens.items()}
    errors = {name: (await exchange(service, token, f"api-{name}")).get("error") for name, token in tokens.items()}

    assert {name: answer["active"] for name, answer in seen.items()} == {"org-1": True, "org-2": False}
    assert errors["org-2"] == "invalid_request"


async def test_grant_without_organization_follows_its_resources(service: TokenService) -> None:
    """Grants of the previous release have no organization."""
    tokens = await redeem(service, code_for(service, "org-1", client_org_id=""))
    before = (await service.introspect(tokens["access_token"], "api-org-1")).json()["active"]
    await turn_off(service, "org-1")
    after = (await service.introspect(tokens["access_token"], "api-org-1")).json()["active"]

    assert (before, after) == (True, False)


async def test_rules_are_those_of_the_project_of_the_organization(service: TokenService) -> None:
    """Authentication finds the client of any organization; what decides is that of the grant."""
    tokens = {name: await redeem(service, code_for(service, name)) for name in ("org-1", "org-2")}
    strict = service.users.documents.clients[URL]["org-2"]
    assert strict
    service.users.documents.clients[URL]["org-2"] = replace(strict, checks_roles=True)
    await service.publish_app_changed()
    refreshed = {name: await refresh(service, one["refresh_token"]) for name, one in tokens.items()}

    assert {name: one.get("error") for name, one in refreshed.items()} == {"org-1": None, "org-2": "invalid_grant"}


async def test_pushed_request_fetches_the_document(service: TokenService) -> None:
    """A pushed request can be the first request of a client; other requests fetch only documents in use."""
    documents = service.users.documents
    documents.due.add(URL)
    unknown = await redeem(service, code_for(service, "org-1"))
    before = list(documents.fetched_for)
    await service.http.post(http.PUSHED_REQUESTS, data={"client_id": URL, "response_type": "code"})

    assert unknown["error"] == "invalid_client"
    assert (before, len(documents.fetched_for)) == ([], 1)
    assert documents.fetched_for != [""]
