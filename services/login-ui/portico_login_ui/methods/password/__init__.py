"""The password."""

from __future__ import annotations

from portico_login_ui.methods.password.login import Password

__all__ = ["Password"]
