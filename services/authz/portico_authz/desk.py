"""What the pipelines work with: one value, made by the composition root."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from portico_oauth.opaque import RandomBytes
from portico_runtime.bus import Bus
from portico_runtime.clock import Clock
from portico_web.cookies import BrowserCookie

from portico_authz.domain.ports import Directory, Stores
from portico_authz.domain.session import Lifetimes
from portico_authz.teller import Teller


@dataclass(frozen=True, slots=True)
class Desk:
    """The parts at hand.

    Attributes:
        teller: says what happened.
        bell: rung when sessions ended, so that what is owed is seen to at once.
        confirm_logout: people are asked before they are signed out without a hint (IR-13).
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
    teller: Teller
    bell: asyncio.Event
    confirm_logout: bool = True
