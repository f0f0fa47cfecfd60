"""From where users sign in and use their sessions (decision 0145): asked wherever either happens."""

from __future__ import annotations

from typing import Final

from portico_contracts.authz import CountryFound, FindCountry
from portico_contracts.users import (
    CHECK_EXEMPTION,
    CheckExemption,
    LoginPolicy,
    Place,
    PlaceAction,
    PlaceVerdict,
    judge,
)
from portico_oauth.errors import ErrorCode, Kind

from portico_authz.dependencies import Dependencies

PLACE_REFUSED = ErrorCode(
    "AUTHZ-281",
    Kind.PERMISSION_DENIED,
    "Your organization does not allow sign-ins from this network or country.",
    "Sign in from a network or country that signInFrom of the login policy allows, or have an administrator change it.",
)

ANYWHERE: Final = PlaceVerdict()


async def find_country(deps: Dependencies, ask: FindCountry) -> CountryFound:
    if deps.countries is None:
        return CountryFound(is_configured=False)
    return CountryFound(is_configured=True, country=deps.countries.find(ask.address))


async def judge_place(
    deps: Dependencies, policy: LoginPolicy, place: Place, user_id: str, *, is_sign_in: bool = False
) -> PlaceVerdict:
    """Applies the rules of the user's organization; they refuse no instance owner whom they exempt."""
    if policy.sign_in_from is None:
        return ANYWHERE
    verdict = judge(policy.sign_in_from, place)
    if verdict.action is not PlaceAction.REFUSE:
        return verdict
    question = CheckExemption(user_id=user_id, rule=verdict.rule, is_sign_in=is_sign_in)
    return ANYWHERE if (await deps.bus.call(CHECK_EXEMPTION, question)).exempt else verdict


def demands_factor_at(policy: LoginPolicy, place: Place) -> bool:
    return judge(policy.sign_in_from, place).action is PlaceAction.SECOND_FACTOR
