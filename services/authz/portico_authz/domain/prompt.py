"""The values of the `prompt` parameter, and how recent an authentication a request demands (OIDC Core §3.1.2.1)."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum


class Prompt(StrEnum):
    NONE = "none"
    LOGIN = "login"
    CONSENT = "consent"
    SELECT_ACCOUNT = "select_account"
    CREATE = "create"


def demanded_since(prompts: Collection[Prompt], max_age: int | None, requested_at: float) -> float | None:
    """Returns the unix seconds after which the authentication must have happened; None for any."""
    oldest = [requested_at] if Prompt.LOGIN in prompts else []
    if max_age is not None:
        oldest.append(requested_at - max_age)
    return max(oldest, default=None)
