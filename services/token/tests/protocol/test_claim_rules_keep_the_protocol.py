"""Property: whatever rules are stored, no claim of the protocol changes in any token or answer (JW-20)."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from portico_contracts.users import ATTRIBUTES, ClaimFormat, ClaimPlace, ClaimRule, ClaimSource
from portico_fakes.token_service import TokenService
from portico_oauth.claim_names import PROTOCOL_CLAIMS, STANDARD_CLAIMS

from .test_roles_list import shown

_OURS: Final = ("urn:portico:project:roles", "urn:zitadel:iam:x", "roles", "groups", "Sub", "ISS", "listed", "grouped")
_NAMES: Final = some.sampled_from([*sorted(STANDARD_CLAIMS), *_OURS, "team", "https://shop.example/team"])
_VALUES: Final = some.sampled_from(["x", "[1]", '{"sub": "y"}', "null", "0", "true"])
_RULES: Final = some.builds(
    ClaimRule,
    claim=_NAMES,
    source=some.sampled_from(ClaimSource),
    key=some.sampled_from(["", "id", "team", *ATTRIBUTES]),
    value=_VALUES,
    format=some.sampled_from(ClaimFormat),
    places=some.just(tuple(ClaimPlace)),
)
_VARY: Final = frozenset({"jti", "at_hash"})
_SETTINGS: Final = {"roles_claim": "listed", "groups_claim": "grouped"}


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rules=some.lists(_RULES, max_size=8))
async def test_rules_change_no_claim_of_the_protocol(token_service: TokenService, rules: list[ClaimRule]) -> None:
    """Also none of the user, of roles and of groups, but for the name that `preferred_username` may be."""
    scope = "openid profile urn:portico:project:roles"
    before = await shown(token_service, scope, **_SETTINGS)
    after = await shown(token_service, scope, claim_rules=tuple(rules), **_SETTINGS)

    assert {where: kept(claims) for where, claims in after.items()} == {
        where: kept(claims) for where, claims in before.items()
    }
    assert {type(claims[name]) for claims in after.values() for name in _VARY & claims.keys()} <= {str}


def kept(claims: dict[str, Any]) -> dict[str, Any]:
    """All but new names and random values."""
    names = (PROTOCOL_CLAIMS | STANDARD_CLAIMS | {*_OURS}) - _VARY - {"preferred_username"}
    return {name: value for name, value in claims.items() if name in names}
