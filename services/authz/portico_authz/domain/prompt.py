"""What the `prompt` parameter may ask for (OIDC Core §3.1.2.1)."""

from __future__ import annotations

from enum import StrEnum


class Prompt(StrEnum):
    """The words Portico knows."""

    NONE = "none"
    LOGIN = "login"
    CONSENT = "consent"
    SELECT_ACCOUNT = "select_account"
    CREATE = "create"
