"""From where users may sign in: what rules by network and country must be like (decision 0145)."""

from __future__ import annotations

from ipaddress import IPv6Network
from typing import Final

from portico_contracts import apply as document
from portico_contracts.users import (
    LONGEST_IPV6_PREFIX,
    PlaceAction,
    PlaceRule,
    SignInFrom,
    network_of,
)
from portico_oauth.errors import ErrorCode, Kind

from portico_users.values.fields import Each, Field, Fields, Words
from portico_users.values.problems import Problem, Problems

INVALID_NETWORK = ErrorCode(
    "USER-199",
    Kind.INVALID_REQUEST,
    "This is not a network, or too small or too large for a rule.",
    "Use CIDR notation without host bits, such as 203.0.113.0/24 or 2001:db8::/32. IPv6 networks have at most 64 bits;"
    " all addresses (/0) are elsewhere.",
)
INVALID_COUNTRY = ErrorCode(
    "USER-185",
    Kind.INVALID_REQUEST,
    "This is not the code of a country.",
    "Use codes of ISO 3166-1 in upper case, such as DE, each once.",
)
NO_PLACE = ErrorCode(
    "USER-186",
    Kind.INVALID_REQUEST,
    "A rule by network and country names neither.",
    "Name at least one network or country in each rule.",
)

_ACTION: Final = Words({one: PlaceAction(one.value) for one in document.PlaceActionName})
_RULE: Final = Fields(PlaceRule, document.PlaceRule, (Field("action", conversion=_ACTION),))
SIGN_IN_FROM: Final = Fields(
    SignInFrom,
    document.SignInFrom,
    (Field("rules", conversion=Each(_RULE)), Field("elsewhere", conversion=_ACTION)),
)


def problems_of_places(wanted: SignInFrom | None) -> Problems:
    for number, rule in enumerate(wanted.rules if wanted else ()):
        place = f"signInFrom.rules[{number}]"
        if not rule.networks and not rule.countries:
            yield Problem(place, NO_PLACE)
        for position, text in enumerate(rule.networks):
            if not _may_be_named(text):
                yield Problem(f"{place}.networks[{position}]", INVALID_NETWORK)
        for position, code in enumerate(rule.countries):
            if not _is_country(code) or code in rule.countries[:position]:
                yield Problem(f"{place}.countries[{position}]", INVALID_COUNTRY)


def _may_be_named(text: str) -> bool:
    network = network_of(text)
    if network is None or not network.prefixlen:
        return False
    return not isinstance(network, IPv6Network) or network.prefixlen <= LONGEST_IPV6_PREFIX


def _is_country(code: str) -> bool:
    return len(code) == 2 and code.isascii() and code.isalpha() and code.isupper()
