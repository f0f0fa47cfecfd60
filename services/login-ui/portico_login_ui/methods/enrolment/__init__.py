"""Registration of a second factor at sign-in, for users who must have one and have none."""

from __future__ import annotations

from portico_login_ui.methods.enrolment.choose import Enrol
from portico_login_ui.methods.enrolment.email import EnrolEmail
from portico_login_ui.methods.enrolment.key import EnrolKey, EnrolPasskey
from portico_login_ui.methods.enrolment.recovery_codes import RecoveryCodes
from portico_login_ui.methods.enrolment.totp import EnrolTotp

__all__ = ["Enrol", "EnrolEmail", "EnrolKey", "EnrolPasskey", "EnrolTotp", "RecoveryCodes"]
