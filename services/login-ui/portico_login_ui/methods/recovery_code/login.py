"""The page of a recovery code."""

from __future__ import annotations

from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_login_ui.methods.factor import read_code
from portico_login_ui.methods.method import PageContext, step_page


class RecoveryCode:
    """The page of a recovery code, which users choose instead of a second factor."""

    step = StepName.RECOVERY_CODE

    def show(self, page_context: PageContext) -> Response:
        """The page; never with a code in it."""
        return step_page("recovery_code.html", page_context)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The code, or the request for another factor."""
        return read_code(form, bare)
