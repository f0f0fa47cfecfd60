from __future__ import annotations

from typing import Any

from portico_contracts.login_steps.recovery_codes import RecoveryCodesAnswer, RecoveryCodesStep
from portico_oauth.parameters import Parameters

from portico_login_ui.methods.method import Method, PageContext
from portico_login_ui.scripts import loads, page_script


def _context(page_context: PageContext[RecoveryCodesStep]) -> dict[str, Any]:
    return loads(page_script(), page_context.issuer)


def _read(_form: Parameters, bare: RecoveryCodesAnswer) -> RecoveryCodesAnswer | None:
    """A form without inputs: pressing the button is the answer."""
    return bare


METHOD = Method("recovery_codes.html", RecoveryCodesStep, RecoveryCodesAnswer, _read, _context)
