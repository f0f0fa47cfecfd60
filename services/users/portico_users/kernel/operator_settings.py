"""Settings of the operator that commands need, each found by a type of its own."""

from __future__ import annotations

from typing import NewType

Issuer = NewType("Issuer", str)
"""The issuer identifier of this installation (RFC 8414 section 2), without a slash at its end."""

CanSendEmail = NewType("CanSendEmail", bool)
"""An email server is set; without one there are no codes and links by email, so that there is no registration either."""

OutboundAllowed = NewType("OutboundAllowed", frozenset[tuple[str, int]])
"""Hosts and ports below a private address that requests of this service may go to all the same."""
