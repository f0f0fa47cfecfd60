"""How a sign-in may start: one rule with a list, or no rule, where the other settings of the card decide."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, Final, NamedTuple

from portico_console.messages import message

LIMITS: Final = "limitFirstFactors"
"""The checkbox that turns the rule on."""
CHOSEN: Final = "firstFactors"
PROVIDER: Final = "provider"


class FirstFactor(NamedTuple):
    key: str
    label: str
    type: str


FIRST_FACTORS: Final = (
    FirstFactor("password", message("Password"), "FIRST_FACTOR_TYPE_PASSWORD"),
    FirstFactor("passkey", message("Passkey"), "FIRST_FACTOR_TYPE_PASSKEY"),
    FirstFactor("email-code", message("Emailed code"), "FIRST_FACTOR_TYPE_EMAIL_CODE"),
    FirstFactor(PROVIDER, message("Identity provider"), "FIRST_FACTOR_TYPE_PROVIDER"),
)
NO_FIRST_FACTOR: Final = message("Choose at least one, or do not limit how a sign-in may start.")
NOT_LIMITED: Final = message('Turn on "Limit how a sign-in may start", or choose none.')


def first_values(policy: Mapping[str, Any]) -> dict[str, Any]:
    types = policy.get(CHOSEN, {}).get("types", ())
    return {LIMITS: CHOSEN in policy, CHOSEN: {one.key for one in FIRST_FACTORS if one.type in types}}


def first_typed(typed: Mapping[str, str]) -> dict[str, Any]:
    return {LIMITS: LIMITS in typed, CHOSEN: {one.key for one in FIRST_FACTORS if f"first-{one.key}" in typed}}


def first_form(values: Mapping[str, Any]) -> dict[str, str]:
    return {f"first-{key}": "on" for key in values[CHOSEN]} | ({LIMITS: "on"} if values[LIMITS] else {})


def first_message(values: Mapping[str, Any]) -> dict[str, Any]:
    return {CHOSEN: {"types": types_of(values[CHOSEN])} if values[LIMITS] else {"unrestricted": True}}


def first_problem(values: Mapping[str, Any], stored: Mapping[str, Any]) -> str:
    """Turning off a stored rule leaves its factors ticked; without one, ticked factors would have no effect."""
    if values[LIMITS]:
        return "" if values[CHOSEN] else NO_FIRST_FACTOR
    return NOT_LIMITED if values[CHOSEN] and not stored[LIMITS] else ""


def types_of(keys: Set[str]) -> list[str]:
    return [one.type for one in FIRST_FACTORS if one.key in keys]
