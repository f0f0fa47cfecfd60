"""The messages of authz's login API for the code of a device (RFC 8628)."""

from __future__ import annotations

from portico_contracts.login import Problem
from portico_contracts.subjects import Message, Secret


class OpenDevice(Message, frozen=True):
    """Opens the sign-in of a device by the code that the user entered.

    Attributes:
        browser: the handle from the browser's cookie; empty without one.
        user_code: as entered.
        address: the client's IP address, for the limit of tries.
        agent: the kind of browser, from the list of `portico_web.devices`.
    """

    browser: Secret
    user_code: Secret
    address: str = ""
    agent: str = ""


class DeviceOpened(Message, frozen=True):
    """The path on this origin where the sign-in continues, with the browser's cookie; or what was wrong."""

    continue_to: str = ""
    set_cookie: Secret = ""
    problem: Problem = Problem.NONE
    retry_after: int = 0
