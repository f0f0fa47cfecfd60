"""The pages of the steps: each folder has the template of its step and the reader of its form, as `METHOD`."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from msgspec.structs import replace
from portico_contracts.http import LANGUAGE_CHOICE
from portico_contracts.login import SecondFactorAnswer
from portico_contracts.step_names import StepName
from portico_oauth.errors import ErrorCode, Kind
from portico_web.language_choice import LanguageSwitch
from portico_web.pages import page
from starlette.responses import Response

from portico_login_ui.client_names import shown_name
from portico_login_ui.methods.method import Method, PageContext

UNKNOWN_STEP = ErrorCode(
    "LOGIN-104",
    Kind.INVALID_REQUEST,
    "The form does not belong to this page.",
    "Open the sign-in page again and use its form.",
)

METHODS: Final[dict[StepName, Method[Any, Any]]] = {
    name: import_module(f"{__name__}.{name.name.lower()}").METHOD for name in StepName if name is not StepName.DONE
}
"""Every step with a page. `StepName.DONE` has none: it redirects."""

_BY_NAME: Final = {step.value: step for step in METHODS}


def load_step(name: str) -> StepName:
    step = _BY_NAME.get(name)
    if step is None:
        raise UNKNOWN_STEP.error()
    return step


def render(page_context: PageContext[Any], *, who: str | None = None) -> Response:
    """`who` replaces the login name in the line that shows who is signing in."""
    step, sent = page_context.step, page_context.submitted
    if step.look.client_is_own:
        step = replace(step, client_name=shown_name(step.client_name, step.look, page_context.language))
    method = METHODS[step.name]
    return page(
        method.template,
        package="portico_login_ui",
        language=page_context.language,
        look=step.look,
        step=step,
        who=step.login_name if who is None else who,
        action=page_context.action,
        language_switch=LanguageSwitch(LANGUAGE_CHOICE, page_context.action),
        trust=isinstance(sent, SecondFactorAnswer) and sent.trust,
        **method.context(page_context),
    )
