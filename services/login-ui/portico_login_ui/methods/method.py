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
"""Code points of whatever is typed (specification, Limits)."""

TOO_LONG = ErrorCode(
    "LOGIN-105",
    Kind.INVALID_REQUEST,
    "The value is longer than 200 characters.",
    "Enter at most 200 characters.",
)


@dataclass(frozen=True, slots=True)
class PageContext:
    """What a page is made of.

    Args:
        step: the step authz requires.
        action: where the form is submitted.
        language: of the page.
        typed: a registration that was refused, without its password, to be filled in again.
        profile: details that were refused, to be filled in again.
        resent: another code was just sent.
        issuer: where the pages are, for the policy of those with a script.
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
    """What was typed into a field, unchanged.

    Raises:
        ServiceError: LOGIN-105 over 200 code points.
    """
    typed = form.get(name, "")
    if len(typed) > MAX_TYPED:
        raise TOO_LONG.error(field=name)
    return typed
