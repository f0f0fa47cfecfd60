from __future__ import annotations

from portico_contracts.login import Answer, Step
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Message


class RequestedScope(Message, frozen=True):
    """A scope that the user is asked to allow.

    Attributes:
        api, title, description: of a scope of an API, as its administrator entered them; else empty.
        allowed: whether the user has allowed it before.
    """

    scope: str
    api: str = ""
    title: str = ""
    description: str = ""
    allowed: bool = False


class AskingDevice(Message, frozen=True):
    """The device that a user is asked to sign in on (RFC 8628), when it asked and from where.

    `asked_at` is in unix seconds; the IP address and its country (ISO 3166-1) are empty if unknown.
    """

    user_code: str
    asked_at: float
    address: str = ""
    country: str = ""


class ConsentStep(Step, frozen=True, tag="consent"):
    """What the application requests, and its organization; `device` is the one that asks, None for a browser."""

    name = StepName.CONSENT
    scopes: tuple[RequestedScope, ...] = ()
    org_name: str = ""
    device: AskingDevice | None = None


class ConsentAnswer(Answer, frozen=True, tag="consent"):
    """`scopes` are those of the page, all of which the user allows."""

    step = StepName.CONSENT
    scopes: tuple[str, ...] = ()
