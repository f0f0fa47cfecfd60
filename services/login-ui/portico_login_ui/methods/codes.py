"""Reads the forms of codes: of second factors, of their registration, and those that verify an email address."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from msgspec.structs import replace
from portico_contracts.login import Answer, FactorCodeAnswer, SecondFactorAnswer, SecondFactorStep
from portico_contracts.login_steps import STEPS
from portico_contracts.step_names import StepName
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import code_letters

from portico_login_ui.methods.method import PageContext, read_typed

Given = TypeVar("Given", bound=Answer)
Factor = TypeVar("Factor", bound=SecondFactorAnswer)
FactorCode = TypeVar("FactorCode", bound=FactorCodeAnswer)

_FACTORS: Final = {name.value: name for name, kind in STEPS.items() if issubclass(kind, SecondFactorStep)}


def resent_of(page_context: PageContext[Any]) -> dict[str, Any]:
    """Reports whether another code was just sent."""
    return {"resent": page_context.resent}


def read_code(form: Parameters, bare: Given) -> Given | None:
    """The code without blanks and separators, which come with copying."""
    code = code_letters(read_typed(form, "code"))
    return replace(bare, code=code) if code else None


def read_sent_code(form: Parameters, bare: Given) -> Given | None:
    """The code that was sent, or the request for another one."""
    return replace(bare, resend=True) if "resend" in form else read_code(form, bare)


def read_factor_code(form: Parameters, bare: FactorCode) -> FactorCode | None:
    """The code of a second factor, or the request for another factor; None when nothing was entered."""
    return read_other_factor(form, bare) or read_code(form, with_trust(form, bare))


def read_sent_factor_code(form: Parameters, bare: FactorCode) -> FactorCode | None:
    return replace(bare, resend=True) if "resend" in form else read_factor_code(form, bare)


def read_other_factor(form: Parameters, bare: Factor) -> Factor | None:
    other = _FACTORS.get(form.get("use", ""))
    return replace(bare, other=other) if other else None


def with_trust(form: Parameters, bare: Factor) -> Factor:
    return replace(bare, trust="trust" in form)


def read_back(form: Parameters, bare: Given) -> Given | None:
    """The request to choose another factor to register."""
    return replace(bare, other=StepName.ENROL) if form.get("use") == StepName.ENROL.value else None
