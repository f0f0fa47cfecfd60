"""All parts of users, wired to each other."""

from __future__ import annotations

from typing import TypeVar

from portico_users.api.transport.dispatch import Dispatch
from portico_users.messages import Messages
from portico_users.settings import Settings
from portico_users.wiring.api import add_api
from portico_users.wiring.codes import add_codes
from portico_users.wiring.credentials import add_credentials
from portico_users.wiring.directory import add_directory
from portico_users.wiring.externals import Externals, add_externals
from portico_users.wiring.federation import add_federation
from portico_users.wiring.kernel import add_kernel
from portico_users.wiring.notifications import add_notifications
from portico_users.wiring.parts import Parts
from portico_users.wiring.traces import add_traces

Made = TypeVar("Made")


class Service:
    """All parts, wired."""

    def __init__(self, settings: Settings, externals: Externals) -> None:
        self.parts = Parts()
        add_externals(self.parts, settings, externals)
        for add_room in (
            add_kernel,
            add_directory,
            add_credentials,
            add_codes,
            add_notifications,
            add_federation,
            add_traces,
            add_api,
        ):
            add_room(self.parts)
        self.messages = self.parts.find(Messages)
        self.dispatch = self.parts.find(Dispatch)

    def find(self, kind: type[Made]) -> Made:
        """The part of a type; see `Parts.find`."""
        return self.parts.find(kind)

    def find_optional(self, kind: type[Made]) -> Made | None:
        """The part, or None in an installation without it."""
        return self.parts.find_optional(kind)
