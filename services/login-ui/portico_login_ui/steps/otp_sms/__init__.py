from __future__ import annotations

from portico_contracts.login_steps.otp_sms import OtpSmsAnswer, OtpSmsStep

from portico_login_ui.methods.codes import read_sent_factor_code, resent_of
from portico_login_ui.methods.method import Method

METHOD = Method("otp_sms.html", OtpSmsStep, OtpSmsAnswer, read_sent_factor_code, resent_of)
