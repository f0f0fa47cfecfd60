from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Final

from portico_contracts.activities import sign_ins
from portico_contracts.events import PASSWORD_REFUSED, PasswordRefused
from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import AnyUser
from portico_users.credentials.passwords.breached.breached_passwords import BreachedPasswords
from portico_users.journal.event_recorder import Occurrence
from portico_users.journal.journal import Journal
from portico_users.policies.password_policy import STANDARD, PasswordRules, problem_with
from portico_users.values.names import canonical

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
    journal: Journal

    async def find_problem_of(self, user: AnyUser, password: str, rules: PasswordRules | None) -> ErrorCode | None:
        """Like `find_problem`; a breached password of an existing user is published and logged."""
        problem = await self.find_problem(password, user.user_name, rules)
        if problem is BREACHED:
            values = {"userId": user.id, "errorId": problem.id}
            await self.journal.publish(
                PASSWORD_REFUSED,
                partial(PasswordRefused, user_id=user.id, org_id=user.org_id, error_id=problem.id),
                about=user.id,
                logged=Occurrence(sign_ins.SIGN_INS, user.org_id, sign_ins.PASSWORD_REFUSED, values),
            )
        return problem

    async def find_problem(self, password: str, user_name: str, rules: PasswordRules | None) -> ErrorCode | None:
        rules = rules or STANDARD
        problem = problem_with(password, user_name, common_passwords(), rules)
        if problem is None and rules.refuse_breached and await self.breached.contains(password):
            return BREACHED
        return problem
