"""The preview of tokens (decision 0141)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from portico_contracts.token import PREVIEW_TOKENS, PreviewTokens, ScopeDropped, TokensPreviewed
from portico_contracts.users import (
    AccessTokenType,
    ClaimPlace,
    ClaimRule,
    ClaimSource,
    Consent,
    NotGiven,
    ProjectAccess,
)
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import USER, TokenService
from portico_oauth.assurance import ACR_PASSWORD
from portico_oauth.errors import ServiceError

from .test_claim_rules import rule
from .test_roles_list import claims_in

_VARY = {"jti", "at_hash", "iat", "nbf", "exp", "auth_time", "sid", "acr", "amr"}


async def preview(
    service: TokenService, *rules: ClaimRule, scope: str = "openid", client_id: str = "app"
) -> TokensPreviewed:
    ask = PreviewTokens(user_id=USER, client_id=client_id, scope=tuple(scope.split()), claim_rules=rules)
    return await service.bus.call(PREVIEW_TOKENS, ask)


def kept(claims: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in claims.items() if name not in _VARY}


async def test_preview_is_what_a_sign_in_gets(token_service: TokenService, grants: MemoryGrants) -> None:
    """Each content is equal but for random values and times, and nothing is stored."""
    service, scope = token_service, "openid profile urn:portico:project:roles"
    rules = (rule(value="x"), rule(ClaimSource.GROUPS, claim="teams"))
    service.users.groups[USER] = ("staff",)
    service.register("app", access_token_type=AccessTokenType.JWT, claim_rules=rules, groups_claim="groups")
    found = await preview(service, *rules, scope=scope)
    stored = dict(grants.held)
    tokens = (await service.redeem(service.issue_code("app", scope=tuple(scope.split())), "app")).json()
    issued = {
        "id_token": claims_in(tokens["id_token"]),
        "access_token": claims_in(tokens["access_token"]),
        "userinfo": (await service.userinfo(tokens["access_token"])).json(),
        "introspection": (await service.introspect(tokens["access_token"], "app")).json(),
    }

    assert stored == {}
    assert {place: kept(json.loads(getattr(found, place))) for place in issued} == {
        place: kept(claims) for place, claims in issued.items()
    }
    assert [(one.claim, set(one.places)) for one in found.rules] == [("c", {*ClaimPlace}), ("teams", {*ClaimPlace})]


async def test_preview_states_the_sign_in_where_tokens_do(token_service: TokenService) -> None:
    """The weakest that the application accepts (decision 0148): an API reads the same in the token and by introspection."""
    token_service.register("app", access_token_type=AccessTokenType.JWT, access_token_acr=True)
    found = await preview(token_service)
    shown = [json.loads(text) for text in (found.access_token, found.introspection)]

    assert [one["acr"] for one in shown] == [ACR_PASSWORD] * 2
    assert shown[0]["auth_time"] == shown[1]["auth_time"] > 0


async def test_text_of_a_preview_is_no_token(token_service: TokenService) -> None:
    """It has no signature, and its contents are no text that an endpoint takes."""
    token_service.register("app", access_token_type=AccessTokenType.JWT)
    found = await preview(token_service)

    for text in (found.access_token, found.id_token):
        assert (await token_service.userinfo(text)).status_code in (400, 401)


async def test_reasons_of_rules_and_of_dropped_words(token_service: TokenService) -> None:
    """Also of words that no API defines, and of rules whose scope is missing."""
    service = token_service
    service.register("app", roles_claim="roles_of_app", consent=Consent.ALWAYS)
    service.users.admissions[USER, "project-1"] = ProjectAccess()
    rules = (
        rule(claim="a", value="x", scope="profile"),
        rule(ClaimSource.METADATA, claim="b", key="team"),
        rule(ClaimSource.ATTRIBUTE, claim="d", key="nickname"),
        rule(claim="roles_of_app", value="x"),
        rule(claim="e", value="x", places=(ClaimPlace.USERINFO,)),
    )
    scope = "openid offline_access stock.read urn:portico:project:id:p9:aud urn:portico:user:metadata"
    found = await preview(service, *rules, scope=scope)

    assert {one.scope: one.reason for one in found.dropped} == {
        "offline_access": ScopeDropped.NO_REFRESH_TOKENS,
        "stock.read": ScopeDropped.UNKNOWN,
        "urn:portico:project:id:p9:aud": ScopeDropped.PROJECT,
        "urn:portico:user:metadata": ScopeDropped.METADATA,
    }
    assert {one.claim: one.reason or one.places for one in found.rules} == {
        "a": NotGiven.SCOPE,
        "b": NotGiven.ANOTHER_ORGANIZATION,
        "d": NotGiven.NO_VALUE,
        "roles_of_app": NotGiven.RESERVED,
        "e": (ClaimPlace.USERINFO,),
    }
    assert (found.access_token, json.loads(found.userinfo)["e"]) == ("", "x")


@pytest.mark.parametrize(("case", "id"), [("app", "TOKEN-295"), ("user", "TOKEN-296"), ("project", "TOKEN-297")])
async def test_what_cannot_sign_in_is_refused_with_the_reason(token_service: TokenService, case: str, id: str) -> None:
    token_service.register("app", checks_roles=case == "project")
    if case == "user":
        del token_service.users.people[USER]
    with pytest.raises(ServiceError) as refused:
        await preview(token_service, client_id="unknown" if case == "app" else "app")

    assert refused.value.id == id
