from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from portico_oauth.errors import ErrorCode, Kind

from portico_users.credentials.passwords.breached.breached_passwords import BreachedPasswords
from portico_users.kernel.names import canonical
from portico_users.resources.policies.password_policy import STANDARD, PasswordRules, problem_with

BREACHED = ErrorCode(
    "USER-140",
    Kind.INVALID_REQUEST,
    "This password is known from a data breach.",
    "Choose one that you use nowhere else, for example a few words.",
)

_FILE: Final = "common-passwords.txt.gz"


@cache
def common_passwords() -> frozenset[str]:
    """Canonical forms: changing case or width adds no strength (LG-24). Loaded on first use (15 ms, 1.6 MB)."""
    with files(__package__).joinpath(_FILE).open("rb") as file, gzip.open(file, "rt", encoding="utf-8") as lines:
        return frozenset(canonical(line.rstrip("\n")) for line in lines)


@dataclass(frozen=True, slots=True)
class NewPasswordCheck:
    """The rules of an organization for a new password, wherever one is set."""

    breached: BreachedPasswords

    async def find_problem(self, password: str, user_name: str, rules: PasswordRules | None) -> ErrorCode | None:
        rules = rules or STANDARD
        problem = problem_with(password, user_name, common_passwords(), rules)
        if problem is None and rules.refuse_breached and await self.breached.contains(password):
            return BREACHED
        return problem
