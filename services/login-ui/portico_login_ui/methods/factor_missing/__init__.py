"""A second factor is demanded, and there is none."""

from __future__ import annotations

from portico_login_ui.methods.factor_missing.login import FactorMissing

__all__ = ["FactorMissing"]
