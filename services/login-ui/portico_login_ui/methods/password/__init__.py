"""The password: entered, and changed when that is demanded."""

from __future__ import annotations

from portico_login_ui.methods.password.change import ChangePassword
from portico_login_ui.methods.password.login import Password

__all__ = ["ChangePassword", "Password"]
