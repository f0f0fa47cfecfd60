"""An account for somebody who has none."""

from __future__ import annotations

from portico_login_ui.methods.registration.register import Register

__all__ = ["Register"]
