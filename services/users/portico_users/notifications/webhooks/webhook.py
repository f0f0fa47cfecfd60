"""The webhook."""

from __future__ import annotations

import msgspec

from portico_users.kernel.names import INSTANCE
from portico_users.kernel.records import Record


class SigningSecret(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A secret deliveries are signed with.

    Attributes:
        sealed: as it is stored, sealed for this webhook.
        until: unix seconds after which it signs no more; 0 for the newest one.
    """

    sealed: str
    until: float = 0.0


class Webhook(Record, frozen=True, kw_only=True):
    """A subscriber to the changes in an organization, or, of the instance, to all changes.

    Attributes:
        event_types: what it receives: ``user.created``, ``user.*``, ``*``.
        secrets: the newest first; two while it is changed.
        failure: why it was switched off by itself; empty where it was not.
    """

    name: str
    url: str
    event_types: tuple[str, ...]
    secrets: tuple[SigningSecret, ...] = ()
    failure: str = ""

    @property
    def of_instance(self) -> bool:
        """It receives the events of every organization."""
        return self.org_id == INSTANCE

    def receives(self, event_type: str) -> bool:
        """One of its types is this one, or begins like it."""
        return any(
            event_type.startswith(one[:-1]) if one.endswith("*") else event_type == one for one in self.event_types
        )
