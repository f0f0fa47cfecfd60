from __future__ import annotations

from portico_contracts.login_steps.factor_missing import FactorMissingAnswer, FactorMissingStep
from portico_oauth.parameters import Parameters

from portico_login_ui.methods.method import Method


def _read(_form: Parameters, _bare: FactorMissingAnswer) -> FactorMissingAnswer | None:
    """The page has no field."""
    return None


METHOD = Method("factor_missing.html", FactorMissingStep, FactorMissingAnswer, _read)
