from __future__ import annotations

from typing import TypeVar

from portico_runtime.process.wakeup import Wakeup

from portico_users.assembly.externals import Externals, add_externals
from portico_users.assembly.makers import MAKERS, EmailWakeup, TargetWakeup, WebhookWakeup
from portico_users.assembly.parts import Parts
from portico_users.management_api.transport.dispatch import Dispatch
from portico_users.messages import Messages
from portico_users.settings import Settings

Made = TypeVar("Made")


class Service:
    def __init__(self, settings: Settings, externals: Externals) -> None:
        self.parts = Parts()
        add_externals(self.parts, settings, externals)
        self.parts.add(Wakeup(), EmailWakeup)
        self.parts.add(Wakeup(), WebhookWakeup)
        self.parts.add(Wakeup(), TargetWakeup)
        self.parts.offer(*MAKERS)
        self.messages = self.parts.find(Messages)
        self.dispatch = self.parts.find(Dispatch)

    def find(self, kind: type[Made]) -> Made:
        return self.parts.find(kind)

    def find_optional(self, kind: type[Made]) -> Made | None:
        return self.parts.find_optional(kind)
