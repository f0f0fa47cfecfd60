"""Recovery codes, for whoever lost everything else."""

from __future__ import annotations

from portico_login_ui.methods.recovery_code.login import RecoveryCode

__all__ = ["RecoveryCode"]
