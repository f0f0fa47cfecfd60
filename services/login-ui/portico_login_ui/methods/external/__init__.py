"""Identities of other providers that have no account here: details to complete, or no account."""

from __future__ import annotations

from portico_login_ui.methods.external.login import CompleteExternal, ExternalNoAccount

__all__ = ["CompleteExternal", "ExternalNoAccount"]
