"""What rules by network and country decide about a place that is not known (decision 0145)."""

from __future__ import annotations

import pytest
from portico_contracts.users import Place, PlaceAction, PlaceRule, SignInFrom, judge

ALLOW, FACTOR, REFUSE = PlaceAction.ALLOW, PlaceAction.SECOND_FACTOR, PlaceAction.REFUSE
NETWORK, COUNTRY = {"networks": ("203.0.113.0/24",)}, {"countries": ("DE",)}


@pytest.mark.parametrize("named", [NETWORK, COUNTRY], ids=["network", "country"])
@pytest.mark.parametrize(
    ("action", "elsewhere", "decided"),
    [
        (REFUSE, ALLOW, REFUSE),
        (ALLOW, REFUSE, REFUSE),
        (FACTOR, ALLOW, FACTOR),
        (ALLOW, FACTOR, FACTOR),
        (FACTOR, REFUSE, REFUSE),
        (ALLOW, ALLOW, ALLOW),
    ],
)
def test_unknown_address_gets_the_strictest_action(
    named: dict[str, tuple[str, ...]], action: PlaceAction, elsewhere: PlaceAction, decided: PlaceAction
) -> None:
    """It may be in any of the networks and countries."""
    rules = SignInFrom(rules=(PlaceRule(action=action, **named),), elsewhere=elsewhere)

    assert judge(rules, Place()).action is decided


def test_known_address_without_a_country_is_elsewhere() -> None:
    """A private address has no country, so that no rule by country names it and the others decide."""
    rules = SignInFrom(rules=(PlaceRule(action=REFUSE, **COUNTRY),))

    assert judge(rules, Place("10.0.0.1")).action is ALLOW
