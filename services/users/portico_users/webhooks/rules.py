"""What a webhook must be like (IP-03: it makes this service send requests), and the event types it may name."""

from __future__ import annotations

import re
from typing import Final

from portico_contracts.activities.sign_ins import ENDED
from portico_contracts.events import AGENT_ENDED, USERS_CREATED, WEBHOOKS, Changed
from portico_contracts.subjects import Event
from portico_contracts.users import OnFailure
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.http_client.addresses import may_be_requested

from portico_users.values.names import INVALID_NAME, MAX_LENGTH, is_name
from portico_users.values.problems import Problem, Problems
from portico_users.webhooks.webhook import TOKEN_ISSUE, Webhook

ACTIONS: Final = ("created", "updated", "deleted")

_PATTERN: Final = re.compile(r"\*|[a-z]+\.(\*|[a-z]+)")


def _kind(event: Event[Changed]) -> str:
    return event.subject.split(".")[2]


_OTHER_ACTIONS: Final = {AGENT_ENDED: (ENDED,), USERS_CREATED: ()}
"""Of events that change no record, and of the one that has several changes."""

EVENT_TYPES: Final = tuple(
    f"{_kind(event)}.{action}" for event in WEBHOOKS.events for action in _OTHER_ACTIONS.get(event, ACTIONS)
)


MIGRATION: Final = "migration.signin"
"""Not an event: the webhook is asked at a sign-in, and answers (`migration_hook`)."""


def type_of(event: Event[Changed], changed: Changed) -> str:
    # Earlier releases did not publish the action.
    action = changed.action or ("created" if changed.sequence == 1 else "updated")
    return f"{_kind(event)}.{action}"


def is_pattern(text: str) -> bool:
    """Accepts event types, ``user.*``, ``*`` and the questions of lazy migration and token hooks."""
    if text in (MIGRATION, TOKEN_ISSUE):
        return True
    if not _PATTERN.fullmatch(text):
        return False
    return any(one.startswith(text[:-1]) if text.endswith("*") else one == text for one in EVENT_TYPES)


Allowed = frozenset[tuple[str, int]]
"""Hosts and ports for which the operator allows private addresses and http (``PORTICO_OUTBOUND_ALLOW``)."""

MAX_TYPES: Final = 20
MAX_WEBHOOKS: Final = 20
"""Per organization; limits the deliveries for one change."""

INVALID_TARGET = ErrorCode(
    "USER-801",
    Kind.INVALID_REQUEST,
    "This address is not a public https address, and the setting PORTICO_OUTBOUND_ALLOW does not list it.",
    "Use a public https address without user information, or list its host and port in PORTICO_OUTBOUND_ALLOW.",
)
MIGRATION_ALONE = ErrorCode(
    "USER-150",
    Kind.INVALID_REQUEST,
    "A webhook with migration.signin has no other event types, and belongs to an organization.",
    "Add one webhook of the organization for migration.signin, and another one for events.",
)
HOOK_ALONE = ErrorCode(
    "USER-152",
    Kind.INVALID_REQUEST,
    "A webhook with token.issue has no other event types.",
    "Add one webhook for token.issue, and another one for events.",
)
HOOK_PROJECT = ErrorCode(
    "USER-153",
    Kind.INVALID_REQUEST,
    "A token hook of an organization belongs to one of its projects, one of the instance to none.",
    "Set projectId to the id of a project of the organization, or omit it in the webhook of the instance.",
)
ONLY_OF_HOOKS = ErrorCode(
    "USER-154",
    Kind.INVALID_REQUEST,
    "Only a webhook with token.issue has projectId, onFailure and atRefresh.",
    "Omit them, or use the event type token.issue alone.",
)
INVALID_TYPE = ErrorCode(
    "USER-802",
    Kind.INVALID_REQUEST,
    "Unknown event type.",
    "Use one to twenty documented types, such as user.created, user.* or *.",
)


def problems_of(webhook: Webhook, allowed: Allowed) -> Problems:
    if not is_name(webhook.name) or len(webhook.name) > MAX_LENGTH:
        yield Problem("name", INVALID_NAME)
    if not may_be_requested(webhook.url, allowed) or "#" in webhook.url:
        yield Problem("url", INVALID_TARGET)
    if not 0 < len(webhook.event_types) <= MAX_TYPES:
        yield Problem("eventTypes", INVALID_TYPE)
    for number, text in enumerate(webhook.event_types):
        if not is_pattern(text):
            yield Problem(f"eventTypes[{number}]", INVALID_TYPE)
    # Its receiver gets passwords, those of events do not.
    if MIGRATION in webhook.event_types and (len(webhook.event_types) > 1 or webhook.of_instance):
        yield Problem("eventTypes", MIGRATION_ALONE)
    yield from _problems_of_hook(webhook)


def _problems_of_hook(webhook: Webhook) -> Problems:
    if not webhook.is_token_hook:
        if webhook.project_id or webhook.at_refresh or webhook.on_failure is not OnFailure.CLOSED:
            yield Problem("eventTypes", ONLY_OF_HOOKS)
        return
    if len(webhook.event_types) > 1:
        yield Problem("eventTypes", HOOK_ALONE)
    if webhook.of_instance == bool(webhook.project_id):
        yield Problem("projectId", HOOK_PROJECT)
