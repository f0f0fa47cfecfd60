"""The values of the `prompt` parameter (OIDC Core §3.1.2.1)."""

from __future__ import annotations

from enum import StrEnum


class Prompt(StrEnum):
    """The values Portico supports."""

    NONE = "none"
    LOGIN = "login"
    CONSENT = "consent"
    SELECT_ACCOUNT = "select_account"
    CREATE = "create"
