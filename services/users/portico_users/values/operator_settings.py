from __future__ import annotations

from enum import StrEnum
from typing import NewType

Issuer = NewType("Issuer", str)
"""The issuer identifier of this installation (RFC 8414 section 2), without a trailing slash."""

CanSendEmail = NewType("CanSendEmail", bool)
"""A mail server is configured; without one there are no emailed codes and links, and so no registration."""

OutboundAllowed = NewType("OutboundAllowed", frozenset[tuple[str, int]])
"""Hosts and ports with private addresses to which this service may send requests."""

SignInLogSeconds = NewType("SignInLogSeconds", float)
"""How long the event log keeps sign-ins and refusals."""


class StepUpMode(StrEnum):
    """Whose sign-ins must be recent for sensitive operations: none, those at console and account page, or all."""

    OFF = "off"
    CONSOLE = "console"
    ALL = "all"
