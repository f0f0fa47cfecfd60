"""The page where a user chooses which second factor to register."""

from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.login import Answer, StepName
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_login_ui.methods.method import PageContext, step_page

_REGISTRATIONS = {step.value: step for step in (StepName.ENROL_PASSKEY, StepName.ENROL_KEY, StepName.ENROL_TOTP)}


class Enrol:
    """One button for each factor that counts."""

    step = StepName.ENROL

    def show(self, page_context: PageContext) -> Response:
        """The page."""
        return step_page("enrol.html", page_context)

    def read(self, form: Parameters, bare: Answer) -> Answer | None:
        """The factor whose button was pressed."""
        chosen = _REGISTRATIONS.get(form.get("use", ""))
        return replace(bare, other=chosen) if chosen else None


def read_back(form: Parameters, bare: Answer) -> Answer | None:
    """The request to choose again; None without one."""
    return replace(bare, other=StepName.ENROL) if form.get("use") == StepName.ENROL.value else None
