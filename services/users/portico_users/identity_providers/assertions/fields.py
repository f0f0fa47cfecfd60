"""The fields of accepted assertions, by which the management API, apply and export read and write them."""

from __future__ import annotations

from typing import Final

from portico_contracts import apply as document

from portico_users.identity_providers.assertions.accepted import AcceptedAssertions, AssertionRule
from portico_users.values.fields import Each, Field, Fields

ACCEPTED: Final = Fields(
    AcceptedAssertions,
    document.AcceptedAssertions,
    (Field("rules", conversion=Each(Fields(AssertionRule, document.AssertionRule, hidden=("since",)))),),
)
