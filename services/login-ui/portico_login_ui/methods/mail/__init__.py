"""The mail address, proven by a code."""

from __future__ import annotations

from portico_login_ui.methods.mail.verify import VerifyMail

__all__ = ["VerifyMail"]
