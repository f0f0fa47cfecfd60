"""What every method gives, and what they share: the page of a step, and the limit of what is typed."""

from __future__ import annotations

from typing import Final, Protocol

from portico_contracts.login import Answer, Step, StepName
from portico_oauth.errors import Fact, Kind
from portico_oauth.parameters import Parameters
from portico_web.pages import page
from starlette.responses import Response

from portico_login_ui.visit import address_of

MAX_TYPED: Final = 200
"""Code points of a login name or a password (specification, Limits)."""

TOO_LONG = Fact(
    "LOGIN-105",
    Kind.MALFORMED,
    "A login name or a password has at most 200 characters.",
    "Enter at most 200 characters.",
)


class Method(Protocol):
    """One way to answer one step."""

    @property
    def step(self) -> StepName:
        """The step it answers."""
        ...

    def show(self, step: Step, request_id: str) -> Response:
        """The page."""
        ...

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The answer with what was entered; None when nothing was.

        Raises:
            Refusal: LOGIN-105 for too much.
        """
        ...


def step_page(template: str, step: Step, request_id: str) -> Response:
    """The page of a step, whose form may end at the application's address."""
    return page(
        template,
        package="portico_login_ui",
        return_uri=step.return_uri,
        step=step,
        action=address_of(request_id),
    )


def read_typed(form: Parameters, name: str) -> str:
    """What was typed into a field, unchanged.

    Raises:
        Refusal: LOGIN-105 over 200 code points.
    """
    typed = form.get(name, "")
    if len(typed) > MAX_TYPED:
        raise TOO_LONG.refusal(field=name)
    return typed
