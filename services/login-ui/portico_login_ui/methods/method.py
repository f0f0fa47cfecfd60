"""What every method gives, and what they share: the page of a step, and the limit of what is typed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from portico_contracts.login import Answer, Registration, Step, StepName
from portico_contracts.users import Profile
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import Parameters
from portico_web.languages import Language
from portico_web.pages import page
from starlette.responses import Response

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


class Method(Protocol):
    """One way to answer one step."""

    @property
    def step(self) -> StepName:
        """The step it answers."""
        ...

    def show(self, page_context: PageContext) -> Response:
        """The page."""
        ...

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The answer with what was entered; None when nothing was.

        Raises:
            ServiceError: LOGIN-105 for too much.
        """
        ...


def step_page(template: str, page_context: PageContext, **context: Any) -> Response:
    """The page of a step.

    Args:
        context: of the template, and ``script_uri`` where it may run a script.
    """
    return page(
        template,
        package="portico_login_ui",
        language=page_context.language,
        look=page_context.step.look,
        step=page_context.step,
        action=page_context.action,
        **context,
    )


def read_typed(form: Parameters, name: str) -> str:
    """What was typed into a field, unchanged.

    Raises:
        ServiceError: LOGIN-105 over 200 code points.
    """
    typed = form.get(name, "")
    if len(typed) > MAX_TYPED:
        raise TOO_LONG.error(field=name)
    return typed
