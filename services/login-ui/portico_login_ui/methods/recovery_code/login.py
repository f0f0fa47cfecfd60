"""Asks for one of the recovery codes."""

from __future__ import annotations

from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_login_ui.methods.factor import read_code
from portico_login_ui.methods.method import Showing, step_page


class RecoveryCode:
    """The page of a recovery code, which users choose instead of a second factor."""

    step = StepName.RECOVERY_CODE

    def show(self, showing: Showing) -> Response:
        """The page; never with a code in it."""
        return step_page("recovery_code.html", showing)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The code, or the wish for another factor."""
        return read_code(form, bare)
