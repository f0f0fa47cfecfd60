"""The page and the form reader of a step, and the length limit of typed values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from portico_contracts.login import Answer, Registration, Step
from portico_contracts.users import Profile
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import Parameters
from portico_web.languages import Language

MAX_TYPED: Final = 200
"""Code points of typed text (specification, Limits)."""

TOO_LONG = ErrorCode(
    "LOGIN-105",
    Kind.INVALID_REQUEST,
    "The value is longer than 200 characters.",
    "Enter at most 200 characters.",
)


@dataclass(frozen=True, slots=True)
class PageContext:
    """The data of a page.

    Args:
        step: the current step.
        action: target of the form.
        typed: a rejected registration without its password, to be filled in again.
        profile: a rejected profile, to be filled in again.
        resent: another code was just sent.
        issuer: origin of the pages, for the CSP of those with a script.
    """

    step: Step
    action: str
    language: Language
    typed: Registration | None = field(default=None, repr=False)
    profile: Profile | None = field(default=None, repr=False)
    resent: bool = False
    issuer: str = ""


class Method(NamedTuple):
    """The page of a step, and how its form is read.

    Attributes:
        read: the answer with what was entered; None when nothing was. It raises LOGIN-105 for too much.
        context: what the template needs besides the step.
    """

    template: str
    read: Callable[[Parameters, Answer], Answer | None]
    context: Callable[[PageContext], dict[str, Any]] = lambda _: {}


def read_typed(form: Parameters, name: str) -> str:
    """Returns the text of a field unchanged. Raises LOGIN-105 over 200 code points."""
    typed = form.get(name, "")
    if len(typed) > MAX_TYPED:
        raise TOO_LONG.error(field=name)
    return typed
