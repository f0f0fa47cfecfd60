"""Rules by network and country in messages (decision 0145)."""

from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.management.v1 import policy_pb2 as pb
from portico_contracts.users import Place, PlaceAction, PlaceRule, PlaceVerdict, SignInFrom
from portico_oauth.errors import ErrorCode, Kind

from portico_users.values.problems import at

NO_ACTION = ErrorCode(
    "USER-187",
    Kind.INVALID_REQUEST,
    "A rule by network and country has no action.",
    "Set PLACE_ACTION_ALLOW, PLACE_ACTION_SECOND_FACTOR or PLACE_ACTION_REFUSE.",
)

ACTIONS: Final = {
    PlaceAction.ALLOW: pb.PLACE_ACTION_ALLOW,
    PlaceAction.SECOND_FACTOR: pb.PLACE_ACTION_SECOND_FACTOR,
    PlaceAction.REFUSE: pb.PLACE_ACTION_REFUSE,
}
_NAMED: Final = {named: action for action, named in ACTIONS.items()}


def message_of_places(rules: SignInFrom) -> pb.SignInFrom:
    return pb.SignInFrom(
        rules=[
            pb.PlaceRule(action=ACTIONS[one.action], networks=one.networks, countries=one.countries)
            for one in rules.rules
        ],
        elsewhere=ACTIONS[rules.elsewhere],
    )


def message_of_caller(place: Place, verdict: PlaceVerdict) -> pb.CallerPlace:
    return pb.CallerPlace(
        address=place.address, country=place.country, action=ACTIONS[verdict.action], rule=verdict.rule
    )


def places_in(
    before: SignInFrom | None, request: pb.SetLoginPolicyRequest | pb.CountAffectedUsersRequest
) -> SignInFrom | None:
    """Raises USER-187."""
    if not request.HasField("sign_in_from"):
        return before
    wanted = request.sign_in_from
    if wanted.unrestricted and not wanted.rules:
        return None
    return SignInFrom(
        rules=tuple(_rule(number, one) for number, one in enumerate(wanted.rules)),
        elsewhere=_NAMED.get(wanted.elsewhere, PlaceAction.ALLOW),
    )


def _rule(number: int, wanted: pb.PlaceRule) -> PlaceRule:
    if wanted.action not in _NAMED:
        raise at(f"signInFrom.rules[{number}].action", NO_ACTION.error())
    return PlaceRule(action=_NAMED[wanted.action], networks=tuple(wanted.networks), countries=tuple(wanted.countries))
