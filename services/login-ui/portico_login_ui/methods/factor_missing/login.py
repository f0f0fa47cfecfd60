"""Says that a sign-in cannot go on without a second factor, which somebody has to register first."""

from __future__ import annotations

from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_login_ui.methods.method import Showing, step_page


class FactorMissing:
    """A page without a field: one can leave it, or load it again once a factor is there."""

    step = StepName.FACTOR_MISSING

    def show(self, showing: Showing) -> Response:
        """The page."""
        return step_page("factor_missing.html", showing)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """Nothing is asked here."""
        return None
