"""What a webhook must be like (IP-03: it makes this service send requests)."""

from __future__ import annotations

from typing import Final

from portico_oauth.errors import Fact, Kind
from portico_runtime.addresses import AddressRefused, read_target

from portico_users.domain.names import MAX_LENGTH, NAME_REFUSED, is_name
from portico_users.domain.problems import Problem, Problems
from portico_users.webhooks.event_types import is_pattern
from portico_users.webhooks.webhook import Webhook

Allowed = frozenset[tuple[str, int]]
"""Hosts and ports the operator allows that may be private, and http (``PORTICO_OUTBOUND_ALLOW``)."""

MAX_TYPES: Final = 20
MAX_WEBHOOKS: Final = 20
"""Of one organization: so many deliveries at most come of one change."""

TARGET_REFUSED = Fact(
    "USER-801",
    Kind.MALFORMED,
    "Events cannot be sent to this address.",
    "Give a public https address without user information; other hosts must stand in PORTICO_OUTBOUND_ALLOW.",
)
TYPE_REFUSED = Fact(
    "USER-802",
    Kind.MALFORMED,
    "There is no such event.",
    "Name one to twenty types of the documentation, such as user.created, user.* or *.",
)


def problems_of(webhook: Webhook, allowed: Allowed) -> Problems:
    """Everything wrong with it, by the names of the management API."""
    if not is_name(webhook.name) or len(webhook.name) > MAX_LENGTH:
        yield Problem("name", NAME_REFUSED)
    if not _may_be_asked(webhook.url, allowed):
        yield Problem("url", TARGET_REFUSED)
    if not 0 < len(webhook.event_types) <= MAX_TYPES:
        yield Problem("eventTypes", TYPE_REFUSED)
    for number, text in enumerate(webhook.event_types):
        if not is_pattern(text):
            yield Problem(f"eventTypes[{number}]", TYPE_REFUSED)


def _may_be_asked(url: str, allowed: Allowed) -> bool:
    try:
        read_target(url, allowed)
    except AddressRefused:
        return False
    return "#" not in url
