"""Recovery codes, for users who lost every other second factor."""

from __future__ import annotations

from portico_login_ui.methods.recovery_code.login import RecoveryCode

__all__ = ["RecoveryCode"]
