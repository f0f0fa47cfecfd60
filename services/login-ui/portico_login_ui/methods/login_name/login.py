"""Asks for the login name. Whether anybody has that name cannot be seen from here (LG-01)."""

from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.login import Answer, Step, StepName
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_login_ui.methods.method import read_typed, step_page


class LoginName:
    """The first page of a sign-in."""

    step = StepName.LOGIN_NAME

    def show(self, step: Step, request_id: str) -> Response:
        """The page, with the name filled in that the application hinted at."""
        return step_page("login_name.html", step, request_id)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The name without the blanks around it, which keyboards add."""
        name = read_typed(form, "login_name").strip()
        return replace(bare, login_name=name) if name else None
