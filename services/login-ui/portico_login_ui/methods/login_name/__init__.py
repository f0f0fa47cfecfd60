"""The login name: who wants to sign in."""

from __future__ import annotations

from portico_login_ui.methods.login_name.login import LoginName

__all__ = ["LoginName"]
