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
    "LOGIN-105", Kind.INVALID_REQUEST, "The value is longer than 200 characters.", "Enter at most 200 characters."
)


@dataclass(frozen=True, slots=True)
class PageContext:
    """`typed` is a rejected registration without its password; `issuer` is for the CSP of pages with a script.

    `trust`: the user has ticked the checkbox of `Step.trust_days` on the page that is shown again.
    """

    step: Step
    action: str
    language: Language
    typed: Registration | None = field(default=None, repr=False)
    profile: Profile | None = field(default=None, repr=False)
    resent: bool = False
    issuer: str = ""
    trust: bool = False


class Method(NamedTuple):
    """`read` returns None when nothing was entered, and raises LOGIN-105 for too much."""

    template: str
    read: Callable[[Parameters, Answer], Answer | None]
    context: Callable[[PageContext], dict[str, Any]] = lambda _: {}


def read_typed(form: Parameters, name: str) -> str:
    """Returns the text of a field unchanged. Raises LOGIN-105 over 200 code points."""
    typed = form.get(name, "")
    if len(typed) > MAX_TYPED:
        raise TOO_LONG.error(field=name)
    return typed
