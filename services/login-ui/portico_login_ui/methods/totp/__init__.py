"""Code generators."""

from __future__ import annotations

from portico_login_ui.methods.totp.login import Totp

__all__ = ["Totp"]
