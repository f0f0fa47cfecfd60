"""From where users may sign in (decision 0145)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Final, NamedTuple

from portico_contracts.subjects import Message, Rpc

ELSEWHERE: Final = "elsewhere"
"""The name of the rule for every other place."""

LONGEST_IPV6_PREFIX: Final = 64
"""Addresses of one site are one client (`portico_web.client_address`)."""


class PlaceAction(StrEnum):
    ALLOW = "allow"
    SECOND_FACTOR = "second_factor"
    REFUSE = "refuse"


class PlaceRule(Message, frozen=True):
    """What applies in these networks (CIDR) and countries (ISO 3166-1, upper case)."""

    action: PlaceAction
    networks: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()


class SignInFrom(Message, frozen=True):
    """The first rule that names a place decides; `elsewhere` if none does."""

    rules: tuple[PlaceRule, ...] = ()
    elsewhere: PlaceAction = PlaceAction.ALLOW


class Place(NamedTuple):
    """`address` is an IPv4 address or an IPv6 network of 64 bits; both are empty if unknown."""

    address: str = ""
    country: str = ""


class PlaceVerdict(NamedTuple):
    """`rule` is the network or the country that decided, or `ELSEWHERE`; empty without rules."""

    action: PlaceAction = PlaceAction.ALLOW
    rule: str = ""


_STRICTEST: Final = (PlaceAction.REFUSE, PlaceAction.SECOND_FACTOR, PlaceAction.ALLOW)


def judge(rules: SignInFrom | None, place: Place) -> PlaceVerdict:
    """An unknown address may be in any of the networks and countries, so that the strictest action counts."""
    if rules is None:
        return PlaceVerdict()
    if not place.address:
        actions = {rules.elsewhere, *(rule.action for rule in rules.rules)}
        return PlaceVerdict(next(one for one in _STRICTEST if one in actions), ELSEWHERE)
    for rule in rules.rules:
        if named := _named_by(rule, place):
            return PlaceVerdict(rule.action, named)
    return PlaceVerdict(rules.elsewhere, ELSEWHERE)


def network_of(text: str) -> IPv4Network | IPv6Network | None:
    """The network of a CIDR notation, or of an address; None for another text, and for one with host bits."""
    try:
        return ip_network(text)
    except ValueError:
        return None


_parsed = lru_cache(maxsize=4_096)(network_of)


def _named_by(rule: PlaceRule, place: Place) -> str:
    if place.country and place.country in rule.countries:
        return place.country
    return _network_with(rule.networks, place.address) if rule.networks else ""


def _network_with(networks: Iterable[str], address: str) -> str:
    client = _parsed(address)
    if client is None:
        return ""
    return next((one for one in networks if _contains(_parsed(one), client)), "")


def _contains(network: IPv4Network | IPv6Network | None, client: IPv4Network | IPv6Network) -> bool:
    if isinstance(network, IPv4Network) and isinstance(client, IPv4Network):
        return client.subnet_of(network)
    return isinstance(network, IPv6Network) and isinstance(client, IPv6Network) and client.subnet_of(network)


class CheckExemption(Message, frozen=True):
    """Asks whether a user who is refused where a sign-in comes from is an owner whom the rules exempt.

    `rule` is as in `PlaceVerdict`. `is_sign_in`: a sign-in that only the exemption allows is an event.
    """

    user_id: str
    rule: str = ""
    is_sign_in: bool = False


class ExemptionChecked(Message, frozen=True):
    """Whether the user may sign in all the same."""

    exempt: bool = False


CHECK_EXEMPTION = Rpc("users.v1.policy.exemption", CheckExemption, ExemptionChecked, ("authz",))
