"""What the document calls the factors a login policy lets count, the strongest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

from portico_contracts.apply import MultiFactorName, SecondFactorName
from portico_contracts.users import Factor

SECOND_FACTORS: Final = {
    SecondFactorName.U2F: Factor.U2F,
    SecondFactorName.OTP: Factor.TOTP,
    SecondFactorName.OTP_EMAIL: Factor.OTP_EMAIL,
}
MULTI_FACTORS: Final = {MultiFactorName.U2F_WITH_VERIFICATION: Factor.PASSKEY}

_Name = TypeVar("_Name")


def factors_of(names: tuple[_Name, ...] | None, table: Mapping[_Name, Factor]) -> tuple[Factor, ...] | None:
    """The factors a document names, each once; None where it has no list."""
    return None if names is None else tuple(factor for name, factor in table.items() if name in names)


def names_of(factors: tuple[Factor, ...] | None, table: Mapping[_Name, Factor]) -> tuple[_Name, ...] | None:
    """What the document calls them; None for no list."""
    return None if factors is None else tuple(name for name, factor in table.items() if factor in factors)
