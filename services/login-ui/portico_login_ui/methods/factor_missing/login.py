"""The page of a sign-in that needs a second factor, which the user has to register first."""

from __future__ import annotations

from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_login_ui.methods.method import PageContext, step_page


class FactorMissing:
    """A page without a field: one can leave it, or load it again once a factor is there."""

    step = StepName.FACTOR_MISSING

    def show(self, page_context: PageContext) -> Response:
        """The page."""
        return step_page("factor_missing.html", page_context)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The page has no field to read."""
        return None
