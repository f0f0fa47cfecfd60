from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from portico_contracts.activities.activity import CREATED, DELETED, Activity
from portico_contracts.activities.outside_servers import OF_OUTSIDE_SERVERS
from portico_contracts.activities.resources import (
    OF_APPS,
    OF_GROUPS,
    OF_INSTANCE,
    OF_KEYS,
    OF_MEMBERS,
    OF_ORGS,
    OF_PROJECTS,
    OF_PROVIDERS,
    OF_WEBHOOKS,
)
from portico_contracts.activities.scim import OF_SCIM
from portico_contracts.activities.senders import OF_SENDERS
from portico_contracts.activities.sign_ins import OF_SIGN_INS
from portico_contracts.activities.users import OF_USERS

ACTIVITIES: Final = (
    *OF_USERS,
    *OF_SIGN_INS,
    *OF_ORGS,
    *OF_INSTANCE,
    *OF_PROJECTS,
    *OF_APPS,
    *OF_PROVIDERS,
    *OF_GROUPS,
    *OF_MEMBERS,
    *OF_WEBHOOKS,
    *OF_SENDERS,
    *OF_SCIM,
    *OF_OUTSIDE_SERVERS,
    *OF_KEYS,
)
"""The first that matches an event is its activity."""

_CREATED: Final = Activity("objects", "created", "%(actor)s created %(object)s", action=CREATED)
_DELETED: Final = Activity("objects", "deleted", "%(actor)s deleted %(object)s", action=DELETED)
_CHANGED: Final = Activity("objects", "changed", "%(actor)s changed %(object)s")
_OTHERS: Final = {CREATED: _CREATED, DELETED: _DELETED}
"""For events of newer releases."""

SENTENCES: Final = tuple(
    dict.fromkeys(
        text for one in (*ACTIVITIES, _CREATED, _DELETED, _CHANGED) for text in (one.sentence, one.own) if text
    )
)


def activity_of(
    kind: str,
    action: str,
    fields: Collection[str] = (),
    values: Mapping[str, Any] | None = None,
    before: Mapping[str, Any] | None = None,
) -> Activity:
    """The activity of an event; `values` and `before` are its new and old values, as far as the log has them."""
    for one in ACTIVITIES:
        if one.kind == kind and one.matches(action, fields, values or {}, before or {}):
            return one
    return _OTHERS.get(action, _CHANGED)


def find_activity(key: str) -> Activity:
    """The activity with a key of the API; "changed" for one of a newer release."""
    return _BY_KEY.get(key, _CHANGED)


_BY_KEY: Final = {one.key: one for one in (*ACTIVITIES, _CREATED, _DELETED, _CHANGED)}
