"""Registration of a new account by its user."""

from __future__ import annotations

from portico_login_ui.methods.registration.register import Register

__all__ = ["Register"]
