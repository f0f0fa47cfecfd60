"""The page that shows recovery codes, once."""

from __future__ import annotations

from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_login_ui.methods.method import PageContext, step_page


class RecoveryCodes:
    """A list to be copied, and the way on."""

    step = StepName.RECOVERY_CODES

    def show(self, page_context: PageContext) -> Response:
        """The page."""
        return step_page("recovery_codes.html", page_context)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """Nothing is entered: pressing the button is the answer."""
        return bare
