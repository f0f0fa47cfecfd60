"""Pages of the email address: its verification by a code, and codes as a second factor."""

from __future__ import annotations

from portico_login_ui.methods.email.sign_in import OtpEmail
from portico_login_ui.methods.email.verify import VerifyEmail

__all__ = ["OtpEmail", "VerifyEmail"]
