"""The steps of a login: each module has the page of its step and the handler of its answer, as `STEP`.

Its message is in `portico_contracts.login_steps`, its page in `portico_login_ui.steps`, all under the same name.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

from portico_contracts.step_names import StepName

from portico_authz.login.login_step import STEPS

STEPS.update(
    {name: import_module(f"{__name__}.{name.name.lower()}").STEP for name in StepName if name is not StepName.DONE}
)

REQUIREMENTS: Final = sorted(
    ((name, step.requirement) for name, step in STEPS.items() if step.requirement), key=lambda one: one[1].order
)
"""Of authenticated users, in order."""
