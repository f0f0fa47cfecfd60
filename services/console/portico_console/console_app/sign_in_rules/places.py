"""From where users sign in: one rule a line, and what applies everywhere else (decision 0145)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from portico_console.messages import message

RULES: Final = "placeRules"
ELSEWHERE: Final = "placesElsewhere"
STORED: Final = "placesStored"
"""Whether the policy has such rules, so that an emptied form removes them."""

_FIELD: Final = "signInFrom"
_NETWORK_MARKS: Final = (".", ":", "/")


class PlaceAction(NamedTuple):
    """`word` begins a line of the rules."""

    word: str
    label: str
    type: str


ALLOW: Final = PlaceAction("allow", message("Allow"), "PLACE_ACTION_ALLOW")
ACTIONS: Final = (
    ALLOW,
    PlaceAction("second_factor", message("Require a second factor"), "PLACE_ACTION_SECOND_FACTOR"),
    PlaceAction("refuse", message("Refuse"), "PLACE_ACTION_REFUSE"),
)
NO_RULE: Final = message("Start each line with allow, second_factor or refuse, followed by networks or country codes.")

_BY_WORD: Final = {one.word: one for one in ACTIONS}
_BY_TYPE: Final = {one.type: one for one in ACTIONS}


def place_values(policy: Mapping[str, Any]) -> dict[str, Any]:
    places = policy.get(_FIELD, {})
    lines = [_line(one) for one in places.get("rules", ())]
    elsewhere = _BY_TYPE.get(places.get("elsewhere", ""), ALLOW)
    return {RULES: "\n".join(lines), ELSEWHERE: elsewhere.word, STORED: _FIELD in policy}


def place_typed(typed: Mapping[str, str]) -> dict[str, Any]:
    """Spaces, empty lines and the spelling of country codes do not matter."""
    lines = [" ".join(line.split()) for line in typed.get(RULES, "").splitlines()]
    elsewhere = _BY_WORD.get(typed.get(ELSEWHERE, ""), ALLOW)
    return {RULES: "\n".join(filter(None, lines)), ELSEWHERE: elsewhere.word, STORED: STORED in typed}


def place_form(values: Mapping[str, Any]) -> dict[str, str]:
    found = {RULES: values[RULES], ELSEWHERE: values[ELSEWHERE]}
    return found | ({STORED: "on"} if values[STORED] else {})


def place_message(values: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing where no such rules are stored and none is entered."""
    if not values[STORED] and not values[RULES] and values[ELSEWHERE] == ALLOW.word:
        return {}
    rules = [_rule(line) for line in values[RULES].splitlines()]
    return {_FIELD: {"rules": rules, "elsewhere": _BY_WORD[values[ELSEWHERE]].type}}


def place_problem(values: Mapping[str, Any]) -> str:
    lines = [line.split() for line in values[RULES].splitlines()]
    return "" if all(words[0] in _BY_WORD and words[1:] for words in lines) else NO_RULE


def limits_places(values: Mapping[str, Any]) -> bool:
    """Whether the rules refuse a place, or demand a second factor there."""
    words = [values[ELSEWHERE], *(line.split()[0] for line in values[RULES].splitlines())]
    return any(word != ALLOW.word for word in words)


def _line(rule: Mapping[str, Any]) -> str:
    action = _BY_TYPE.get(rule.get("action", ""), ALLOW)
    return " ".join((action.word, *rule.get("networks", ()), *rule.get("countries", ())))


def _rule(line: str) -> dict[str, Any]:
    word, *places = line.replace(",", " ").split()
    networks = [one for one in places if any(mark in one for mark in _NETWORK_MARKS)]
    found: dict[str, Any] = {"action": _BY_WORD[word].type}
    if networks:
        found["networks"] = networks
    if countries := [one.upper() for one in places if one not in networks]:
        found["countries"] = countries
    return found
