"""Steps and answers by name, for tests of several of them."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import fields
from portico_contracts.login import Answer, Step
from portico_contracts.login_steps import ANSWERS, STEPS
from portico_contracts.login_wire import SentStep
from portico_contracts.step_names import StepName
from portico_contracts.subjects import decode

_OF_THE_PAGES: Final = ("browser", "csrf", "languages", "address", "to_application")


def step_of(name: StepName, **values: Any) -> Step:
    """Fields that the step does not have are left out, as rows of several steps share them."""
    kind = STEPS[name]
    return kind(**{field: value for field, value in values.items() if field in kind.__struct_fields__})


def answer_of(name: StepName, **values: Any) -> Answer:
    return ANSWERS[name](**values)


def moved(step: Step, name: StepName, **values: Any) -> Step:
    """Another step with the common fields of one."""
    common = {field: getattr(step, field) for field in Step.__struct_fields__}
    return step_of(name, **{**common, **values})


def read_step(content: bytes) -> Any:
    """Returns a step as other login pages read it: with the members of all steps."""
    return decode(content, SentStep)


def entered(answer: Answer) -> dict[str, Any]:
    """What the user entered or pressed: every field with a value, without those of the pages."""
    values = {field.name: getattr(answer, field.name) for field in fields(answer) if field.name not in _OF_THE_PAGES}
    return {name: value for name, value in values.items() if value}
