"""Which logos an organization has: their names; the images are stored beside them."""

from __future__ import annotations

from enum import StrEnum

import msgspec
from portico_contracts.http import LOGOS


class Theme(StrEnum):
    """Which background a logo is for."""

    LIGHT = "light"
    DARK = "dark"


class Logos(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The names that the logos of an organization are served by; empty for none."""

    light: str = ""
    dark: str = ""


def path_of(name: str) -> str:
    """The path of a logo at the gateway; empty without one."""
    return f"{LOGOS}/{name}" if name else ""
