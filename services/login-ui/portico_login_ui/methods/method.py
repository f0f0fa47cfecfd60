"""The page and the form reader of a step, and the length limit of typed values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from portico_contracts.login import Answer, Step
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import Parameters
from portico_web.languages import Language

MAX_TYPED: Final = 200
"""Code points of typed text (specification, Limits)."""

TOO_LONG = ErrorCode(
    "LOGIN-105", Kind.INVALID_REQUEST, "The value is longer than 200 characters.", "Enter at most 200 characters."
)


Shown = TypeVar("Shown", bound=Step)
Given = TypeVar("Given", bound=Answer)


@dataclass(frozen=True, slots=True)
class PageContext(Generic[Shown]):
    """`submitted` is the answer after which the page is shown again; `issuer` is for the CSP of pages with a script."""

    step: Shown
    action: str
    language: Language
    submitted: Answer | None = None
    resent: bool = False
    issuer: str = ""


@dataclass(frozen=True, slots=True)
class Method(Generic[Shown, Given]):
    """The page of a step and the reader of its form.

    `read` returns None when nothing was entered, and raises LOGIN-105 for too much.
    """

    template: str
    step: type[Shown]
    answer: type[Given]
    read: Callable[[Parameters, Given], Given | None]
    context: Callable[[PageContext[Shown]], dict[str, Any]] = lambda _: {}


def read_typed(form: Parameters, name: str) -> str:
    """Returns the text of a field unchanged. Raises LOGIN-105 over 200 code points."""
    typed = form.get(name, "")
    if len(typed) > MAX_TYPED:
        raise TOO_LONG.error(field=name)
    return typed
