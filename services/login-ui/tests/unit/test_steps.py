from __future__ import annotations

from portico_contracts.step_names import StepName
from portico_login_ui.steps import METHODS


def test_every_step_but_done_has_a_page() -> None:
    assert set(METHODS) == set(StepName) - {StepName.DONE}
