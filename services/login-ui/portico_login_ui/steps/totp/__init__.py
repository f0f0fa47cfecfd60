from __future__ import annotations

from portico_contracts.login_steps.totp import TotpAnswer, TotpStep

from portico_login_ui.methods.codes import read_factor_code
from portico_login_ui.methods.method import Method

METHOD = Method("totp.html", TotpStep, TotpAnswer, read_factor_code)
