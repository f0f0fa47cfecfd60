"""Claims that rules of an application give, in every place of claims (decision 0141)."""

from __future__ import annotations

import base64
from typing import Any, Final

import pytest
from msgspec.structs import replace
from portico_contracts.users import (
    AccessTokenType,
    ClaimFormat,
    ClaimPlace,
    ClaimRule,
    ClaimSource,
    ProjectAccess,
    User,
    UserClaims,
)
from portico_fakes.token_service import USER, TokenService

from .test_roles_list import WHERE, claims_in, shown

EVERYWHERE: Final = tuple(ClaimPlace)
_GROUPS: Final = ("team-blue", "team-red", "staff")
_METADATA: Final = {"team": "blue", "tags": '["a"]', "one": "x", "json": '{"n": 1}', "big": "9007199254740992"}


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    """With a user of the organization of the application who has a value for every source."""
    user = User(user_id=USER, org_id="org-1", user_name="ada", login_name="ada@acme.example", human=True)
    claims: dict[str, Any] = {"email": "ada@mail.example", "email_verified": True, "given_name": "Ada"}
    claims |= {"preferred_username": "ada@acme.example", "phone_number": "+41791234567", "phone_number_verified": False}
    metadata = {key: base64.urlsafe_b64encode(text.encode()).decode().rstrip("=") for key, text in _METADATA.items()}
    token_service.users.people[USER] = UserClaims(
        user=user, claims=claims, metadata=metadata, org_name="Acme", org_domain="acme.example"
    )
    token_service.users.groups[USER] = _GROUPS
    token_service.users.roles[USER, "project-1"] = {"viewer": {"o": "o.test"}}
    token_service.users.roles[USER, "p2"] = {"admin": {"o": "o.test"}}
    return token_service


def rule(source: ClaimSource = ClaimSource.FIXED, /, claim: str = "c", **fields: Any) -> ClaimRule:
    return ClaimRule(claim=claim, source=source, **{"places": EVERYWHERE, **fields})


async def claim_of(service: TokenService, rules: ClaimRule, scope: str = "openid", **client: Any) -> dict[str, Any]:
    """The claim in each place, where it is."""
    found = await shown(service, scope, claim_rules=(rules,), **client)
    return {where: claims[rules.claim] for where, claims in found.items() if rules.claim in claims}


@pytest.mark.parametrize(
    ("one", "value"),
    [
        (rule(value="x", format=ClaimFormat.TEXT), "x"),
        (rule(value='{"a": [1]}', format=ClaimFormat.JSON), {"a": [1]}),
        (rule(value="x", format=ClaimFormat.LIST), ["x"]),
        (rule(ClaimSource.METADATA, key="team"), "blue"),
        (rule(ClaimSource.METADATA, key="tags", format=ClaimFormat.LIST), ["a"]),
        (rule(ClaimSource.METADATA, key="one", format=ClaimFormat.LIST), ["x"]),
        (rule(ClaimSource.METADATA, key="json", format=ClaimFormat.JSON), {"n": 1}),
        (rule(ClaimSource.ATTRIBUTE, key="user_name"), "ada"),
        (rule(ClaimSource.ATTRIBUTE, key="email"), "ada@mail.example"),
        (rule(ClaimSource.GROUPS), ["team-blue", "team-red", "staff"]),
        (rule(ClaimSource.GROUPS, key="team-"), ["team-blue", "team-red"]),
        (rule(ClaimSource.GROUPS, groups=("staff",)), ["staff"]),
        (rule(ClaimSource.ROLES), ["viewer"]),
        (rule(ClaimSource.ROLES, key="p2"), ["admin"]),
        (rule(ClaimSource.ORGANIZATION, key="name"), "Acme"),
        (rule(ClaimSource.ATTRIBUTE, claim="preferred_username", key="email"), "ada@mail.example"),
    ],
)
async def test_each_source_gives_its_claim_in_every_place(service: TokenService, one: ClaimRule, value: Any) -> None:
    """Tokens, userinfo and introspection agree, and a list with one element stays a list."""
    assert await claim_of(service, one, "openid profile") == dict.fromkeys(WHERE, value)


@pytest.mark.parametrize(
    "one",
    [
        rule(ClaimSource.METADATA, key="other"),
        rule(ClaimSource.METADATA, key="big", format=ClaimFormat.JSON),
        rule(ClaimSource.METADATA, key="team", format=ClaimFormat.JSON),
        rule(ClaimSource.ATTRIBUTE, key="phone_number"),
        rule(ClaimSource.ATTRIBUTE, key="nickname"),
    ],
)
async def test_unknown_and_unverified_values_give_no_claim(service: TokenService, one: ClaimRule) -> None:
    assert await claim_of(service, one) == {}


@pytest.mark.parametrize("place", EVERYWHERE)
async def test_claim_is_only_in_its_places(service: TokenService, place: ClaimPlace) -> None:
    """Introspection also shows what an access token has, so that opaque and JWT access tokens agree."""
    expected = {place.value, "introspection"} if place is ClaimPlace.ACCESS_TOKEN else {place.value}

    assert (await claim_of(service, rule(value="x", places=(place,)))).keys() == expected


async def test_rule_with_a_scope_needs_it(service: TokenService) -> None:
    """A claim that users did not allow is in no place."""
    one = rule(value="x", scope="profile")

    assert await claim_of(service, one) == {}
    assert (await claim_of(service, one, "openid profile")).keys() == {*WHERE}


@pytest.mark.parametrize("source", [ClaimSource.METADATA, ClaimSource.GROUPS])
async def test_user_of_another_organization_gives_no_metadata_and_groups(
    service: TokenService, source: ClaimSource
) -> None:
    """The administrators of the application have nothing to do with that organization."""
    person = service.users.people[USER]
    assert person.user is not None
    service.users.people[USER] = replace(person, user=replace(person.user, org_id="org-2"))
    service.users.admissions[USER, "project-1"] = ProjectAccess()

    assert await claim_of(service, rule(source, key="team")) == {}


async def test_reserved_names_are_refused_at_issue_too(service: TokenService) -> None:
    """Settings may name a claim after its rule was saved; the protocol's claims stay in any case."""
    fixed = [rule(claim=claim, value="x") for claim in ("sub", "aud", "roles", "email", "Iss", "urn:portico:x", "list")]
    found = await shown(service, "openid email", claim_rules=tuple(fixed), roles_claim="list")

    assert {claims["sub"] for claims in found.values()} == {USER}
    assert {claims["list"][0] for claims in found.values()} == {"viewer"}
    assert not any("x" in claims.values() for claims in found.values())


async def test_opaque_tokens_are_introspected_as_jwts(service: TokenService) -> None:
    one = rule(value="x", places=(ClaimPlace.ACCESS_TOKEN,))
    service.register("app", access_token_type=AccessTokenType.OPAQUE, claim_rules=(one,))
    tokens = (await service.redeem(service.issue_code("app"), "app")).json()

    assert (await service.introspect(tokens["access_token"], "app")).json()["c"] == "x"


async def test_change_of_a_rule_is_in_the_next_answer(service: TokenService) -> None:
    """Also for a token that was issued before."""
    found = []
    service.register("app", claim_rules=())
    tokens = (await service.redeem(service.issue_code("app"), "app")).json()
    for value in ("1", "2"):
        service.register("app", claim_rules=(rule(value=value),))
        await service.publish_app_changed()
        found.append((await service.userinfo(tokens["access_token"])).json()["c"])

    assert found == ["1", "2"]


async def test_id_token_of_a_refresh_has_the_same_claims(service: TokenService) -> None:
    """An id_token of a refresh has the claims of the first one (OIDC Core section 12.2)."""
    service.register(
        "app", claim_rules=(rule(ClaimSource.GROUPS),), grant_types=("authorization_code", "refresh_token")
    )
    tokens = (await service.redeem(service.issue_code("app", scope=("openid", "offline_access")), "app")).json()
    refreshed = (await service.refresh(tokens["refresh_token"], "app")).json()

    assert claims_in(refreshed["id_token"])["c"] == claims_in(tokens["id_token"])["c"] == list(_GROUPS)


async def test_introspection_by_another_project_has_none(service: TokenService) -> None:
    """The rules of a project are not for the APIs of others (decision 0097)."""
    service.register("app", claim_rules=(rule(value="x"),), audience=("app", "api", "project-1"))
    service.register("api", project_id="p2", audience=("api", "p2"))
    token = (await service.redeem(service.issue_code("app"), "app")).json()["access_token"]
    found = [(await service.introspect(token, caller)).json() for caller in ("app", "api")]

    assert [(one["active"], one.get("c")) for one in found] == [(True, "x"), (True, None)]


async def test_too_large_claims_are_refused_with_their_setting(service: TokenService) -> None:
    rules = tuple([rule(claim=f"c{number}", value="x" * 2_000) for number in range(10)])
    service.register("app", claim_rules=rules)
    answer = await service.redeem(service.issue_code("app"), "app")

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_scope")
    assert "claim rules" in answer.json()["error_description"]
