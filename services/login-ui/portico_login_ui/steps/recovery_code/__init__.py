from __future__ import annotations

from portico_contracts.login_steps.recovery_code import RecoveryCodeAnswer, RecoveryCodeStep

from portico_login_ui.methods.codes import read_factor_code
from portico_login_ui.methods.method import Method

METHOD = Method("recovery_code.html", RecoveryCodeStep, RecoveryCodeAnswer, read_factor_code)
