"""Settings of the operator that commands need, each found by a type of its own."""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

Issuer = NewType("Issuer", str)
"""The issuer identifier of this installation (RFC 8414 section 2), without a slash at its end."""

CanSendEmail = NewType("CanSendEmail", bool)
"""An email server is set; without one there are no codes and links by email, so that there is no registration either."""

OutboundAllowed = NewType("OutboundAllowed", frozenset[tuple[str, int]])
"""Hosts and ports below a private address that requests of this service may go to all the same."""


class StepUpMode(StrEnum):
    """Whose sign-ins have to be recent for dangerous operations: of no user, at the console and the account page, everywhere."""

    OFF = "off"
    CONSOLE = "console"
    ALL = "all"
