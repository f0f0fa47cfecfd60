"""Claims of a token hook, in every place of claims (decision 0149)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace
from portico_contracts.authz import CodeGrant
from portico_contracts.token import ISSUE_IMPLICIT_TOKENS, IssueImplicitTokens
from portico_contracts.users import (
    AccessTokenType,
    ClaimPlace,
    ClaimRule,
    HookFailure,
    OnFailure,
    TokenHook,
    TokenHookCalled,
)
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import USER, TokenService
from portico_oauth.errors import UNAVAILABLE, ServiceError

from .test_claim_rules import rule
from .test_diagnostics import diagnostics_of
from .test_preview import preview
from .test_roles_list import WHERE, claims_in, shown

HOOK: Final = TokenHook(id="hook-1")
OPEN: Final = replace(HOOK, on_failure=OnFailure.OPEN)
GIVEN: Final = TokenHookCalled(claims={place: {"tenant": f"t-{place.value}"} for place in ClaimPlace})
_OFFLINE: Final = ("openid", "offline_access")


def tenants(found: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {where: claims["tenant"] for where, claims in found.items() if "tenant" in claims}


async def signed_in(service: TokenService, hook: TokenHook | None = HOOK, **client: Any) -> dict[str, Any]:
    """The response to a sign-in at an application with refresh tokens and this hook."""
    grants = ("authorization_code", "refresh_token")
    service.register("app", access_token_type=AccessTokenType.JWT, grant_types=grants, token_hook=hook, **client)
    await service.publish_app_changed()
    response = await service.redeem(service.issue_code("app", scope=_OFFLINE), "app")
    return {"status": response.status_code, **response.json()}


async def test_each_place_has_the_claims_that_the_hook_gave_it(token_service: TokenService) -> None:
    token_service.users.hook = GIVEN

    assert tenants(await shown(token_service, token_hook=HOOK)) == {where: f"t-{where}" for where in WHERE}


async def test_hook_is_told_what_the_application_may_read(token_service: TokenService) -> None:
    """The claims are those of the granted scope, and no others."""
    person = token_service.users.people[USER]
    claims = {"name": "Ada", "email": "ada@mail.example"}
    token_service.users.people[USER] = replace(person, claims=claims, metadata={"k": "dg"})
    await shown(token_service, "openid profile", token_hook=HOOK, roles_claim="lists")
    [ask] = token_service.users.hooked

    assert (ask.hook_id, ask.client_id, ask.project_id, ask.user_id) == ("hook-1", "app", "project-1", USER)
    assert (ask.scope, ask.claims, ask.taken) == (("openid", "profile"), {"name": "Ada"}, ("lists",))
    assert (ask.user_org_id, ask.is_refresh, ask.actor_id) == ("org-1", False, "")


@pytest.mark.parametrize("name", ["sub", "AUD", "roles", "email", "urn:portico:x", "lists", "acr", "scope"])
async def test_reserved_name_is_not_shown_even_if_users_let_it_pass(token_service: TokenService, name: str) -> None:
    """The names are compared where a claim is shown, too: settings may have changed since the answer."""
    token_service.users.hook = TokenHookCalled(claims={place: {name: "forged", "own": 1} for place in ClaimPlace})
    found = await shown(token_service, token_hook=HOOK, groups_claim="lists")

    assert all(claims.get(name) != "forged" and claims["own"] == 1 for claims in found.values())


async def test_rule_replaces_the_claim_of_a_hook(token_service: TokenService) -> None:
    token_service.users.hook = GIVEN
    rules: tuple[ClaimRule, ...] = (rule(value="of-the-rule", claim="tenant"),)
    found = await shown(token_service, token_hook=HOOK, claim_rules=rules)

    assert tenants(found) == dict.fromkeys(WHERE, "of-the-rule")


async def test_refresh_keeps_the_claims_without_another_call(token_service: TokenService) -> None:
    service = token_service
    service.users.hook = GIVEN
    first = await signed_in(service)
    service.users.hook = TokenHookCalled(claims={ClaimPlace.ID_TOKEN: {"tenant": "new"}})
    again = (await service.refresh(first["refresh_token"], "app")).json()

    assert len(service.users.hooked) == 1
    assert claims_in(again["id_token"])["tenant"] == "t-id_token"
    assert claims_in(again["access_token"])["tenant"] == "t-access_token"


async def test_hook_with_at_refresh_is_called_again(token_service: TokenService) -> None:
    """Userinfo follows, also for access tokens issued before."""
    service, hook = token_service, replace(HOOK, at_refresh=True)
    service.users.hook = GIVEN
    first = await signed_in(service, hook)
    service.users.hook = TokenHookCalled(claims={ClaimPlace.USERINFO: {"tenant": "new"}})
    again = (await service.refresh(first["refresh_token"], "app")).json()

    assert [one.is_refresh for one in service.users.hooked] == [False, True]
    assert "tenant" not in claims_in(again["id_token"])
    assert (await service.userinfo(first["access_token"])).json()["tenant"] == "new"


async def test_claims_of_a_removed_or_replaced_hook_are_not_shown(token_service: TokenService) -> None:
    service = token_service
    service.users.hook = GIVEN
    first = await signed_in(service)
    found = []
    for hook in (HOOK, replace(HOOK, id="hook-2"), None):
        service.users.clients["app"] = replace(service.users.clients["app"], token_hook=hook)
        await service.publish_app_changed()
        found.append((await service.userinfo(first["access_token"])).json().get("tenant"))

    assert found == ["t-userinfo", None, None]


async def test_closed_hook_that_fails_refuses_the_request(token_service: TokenService, grants: MemoryGrants) -> None:
    """With status 503, and nothing is stored."""
    token_service.users.hook = TokenHookCalled(failure=HookFailure.TIMEOUT)
    response = await signed_in(token_service)

    assert (response["status"], response["error"]) == (503, "server_error")
    assert response["error_description"] == "The token hook of the application failed."
    assert grants.held == {}


async def test_open_hook_that_fails_adds_nothing(token_service: TokenService) -> None:
    token_service.users.hook = TokenHookCalled(failure=HookFailure.STATUS)
    found = await shown(token_service, token_hook=OPEN)

    assert tenants(found) == {}
    assert found["userinfo"]["sub"] == USER


@pytest.mark.parametrize(("hook", "status"), [(HOOK, 503), (OPEN, 200)])
async def test_users_that_do_not_answer_are_a_failure_of_the_hook(
    token_service: TokenService, hook: TokenHook, status: int
) -> None:
    token_service.users.hook = UNAVAILABLE

    assert (await signed_in(token_service, hook))["status"] == status


async def test_closed_hook_that_fails_does_not_consume_a_refresh_token(token_service: TokenService) -> None:
    service, hook = token_service, replace(HOOK, at_refresh=True)
    first = await signed_in(service, hook)
    service.users.hook = TokenHookCalled(failure=HookFailure.TIMEOUT)
    refused = await service.refresh(first["refresh_token"], "app")
    service.users.hook = GIVEN

    assert refused.status_code == 503
    assert (await service.refresh(first["refresh_token"], "app")).status_code == 200


async def test_open_hook_that_fails_at_a_refresh_takes_its_claims_back(token_service: TokenService) -> None:
    """Claims of a decision that was not made again are not repeated."""
    service, hook = token_service, replace(OPEN, at_refresh=True)
    service.users.hook = GIVEN
    first = await signed_in(service, hook)
    service.users.hook = TokenHookCalled(failure=HookFailure.TIMEOUT)
    again = (await service.refresh(first["refresh_token"], "app")).json()

    assert "tenant" not in claims_in(again["id_token"])
    assert "tenant" not in (await service.userinfo(again["access_token"])).json()


@pytest.mark.parametrize(
    ("hook", "outcome", "passed"), [(HOOK, "refused", False), (OPEN, "issued", True)], ids=["closed", "open"]
)
async def test_failure_is_a_diagnostic_of_the_request(
    token_service: TokenService, hook: TokenHook, outcome: str, *, passed: bool
) -> None:
    """It names the cause, whether the request was refused or not."""
    token_service.users.hook = TokenHookCalled(failure=HookFailure.RESERVED)
    await signed_in(token_service, hook)
    [trace] = await diagnostics_of(token_service)

    assert (trace.outcome, trace.client_id) == (outcome, "app")
    assert [(one.given, one.passed) for one in trace.checks if one.name == "token_hook"] == [("reserved", passed)]


@pytest.mark.parametrize("hook", [None, HOOK])
async def test_service_user_has_no_hook(token_service: TokenService, hook: TokenHook | None) -> None:
    token_service.register_service_user("robot")
    await signed_in(token_service, hook)
    calls = len(token_service.users.hooked)
    await token_service.client_credentials("robot")

    assert calls == (hook is not None)
    assert len(token_service.users.hooked) == calls


async def test_implicit_response_has_the_claims(token_service: TokenService) -> None:
    """Also an id_token alone, which stores no grant."""
    service = token_service
    service.users.hook = GIVEN
    service.register("app", token_hook=HOOK)
    code = service.issue_code("app")
    grant: CodeGrant = service.authz.codes[code].grant
    found = await service.bus.call(ISSUE_IMPLICIT_TOKENS, IssueImplicitTokens(grant=grant, with_access_token=False))

    assert claims_in(found.id_token)["tenant"] == "t-id_token"


async def test_implicit_response_is_refused_where_a_closed_hook_fails(token_service: TokenService) -> None:
    service = token_service
    service.users.hook = TokenHookCalled(failure=HookFailure.TIMEOUT)
    service.register("app", token_hook=HOOK)
    grant = service.authz.codes[service.issue_code("app")].grant
    with pytest.raises(ServiceError) as refused:
        await service.bus.call(ISSUE_IMPLICIT_TOKENS, IssueImplicitTokens(grant=grant, with_access_token=True))

    assert refused.value.id == "TOKEN-298"


async def test_preview_names_the_hook_and_does_not_call_it(token_service: TokenService) -> None:
    """A preview must not have an effect outside."""
    token_service.users.hook = GIVEN
    token_service.register("app", access_token_type=AccessTokenType.JWT, token_hook=HOOK)
    found = await preview(token_service)

    assert (found.token_hook, token_service.users.hooked) == ("hook-1", [])
    assert "tenant" not in found.userinfo
