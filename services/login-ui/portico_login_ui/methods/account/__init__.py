"""The accounts of this browser."""

from __future__ import annotations

from portico_login_ui.methods.account.login import SelectAccount

__all__ = ["SelectAccount"]
