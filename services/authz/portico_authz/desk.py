"""What the pipelines work with: one value, made by the composition root."""

from __future__ import annotations

from dataclasses import dataclass

from portico_oauth.opaque import RandomBytes
from portico_runtime.bus import Bus
from portico_runtime.clock import Clock
from portico_web.cookies import BrowserCookie

from portico_authz.domain.ports import Directory, Stores
from portico_authz.domain.session import Lifetimes


@dataclass(frozen=True, slots=True)
class Desk:
    """The parts at hand.

    Attributes:
        bus: for questions that change something (a password attempt); the rest goes through ``directory``.
    """

    issuer: str
    stores: Stores
    directory: Directory
    bus: Bus
    clock: Clock
    random: RandomBytes
    lifetimes: Lifetimes
    cookie: BrowserCookie
