"""Whether a user may begin a sign-in with a password: asked wherever one is verified or set (decision 0143)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import partial

from portico_contracts.activities import sign_ins
from portico_contracts.events import RULE_EXEMPTED, RuleExempted
from portico_contracts.users import CheckExemption, ExemptionChecked, FirstFactor
from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import Account
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.member import MongoMembers
from portico_users.administrators.permissions import INSTANCE_OWNER
from portico_users.end_users.end_user import EndUser
from portico_users.journal.event_recorder import Occurrence
from portico_users.journal.journal import Journal
from portico_users.organizations.org import Org
from portico_users.policies.login_policies import LoginPolicies
from portico_users.values.names import INSTANCE

NO_PASSWORDS = ErrorCode(
    "USER-183",
    Kind.FAILED_PRECONDITION,
    "This organization does not allow passwords.",
    "Sign in in another way, or have an administrator allow passwords.",
)


class Verdict(Enum):
    ALLOWED = auto()
    EXEMPT = auto()
    """Refused to all users except instance owners, and the user is one."""
    REFUSED = auto()


@dataclass(frozen=True, slots=True)
class FirstFactors:
    policies: LoginPolicies
    accounts: MongoAccounts
    members: MongoMembers
    journal: Journal

    async def verdict_on(self, account: Account | None) -> Verdict:
        """Decides about a password. Asks the same for a name without an account, and allows it (LG-01)."""
        rules = await self.policies.rules_of(account.org if account else None)
        user_id = account.user.id if account else "-"
        if rules.may_begin_with(FirstFactor.PASSWORD):
            return Verdict.ALLOWED
        is_exempt = rules.exempt_instance_owners and await self.is_owner(user_id)
        return Verdict.ALLOWED if account is None else Verdict.EXEMPT if is_exempt else Verdict.REFUSED

    async def allows_password(self, account: Account) -> bool:
        return await self.verdict_on(account) is not Verdict.REFUSED

    async def lets_set_password(self, human: EndUser, org: Org) -> bool:
        """Reports whether the user may set a first password, or a new one, by an emailed link or code."""
        if not await self.allows_password(Account(human, org)):
            return False
        return not human.has_password or await self.policies.lets_reset(org)

    async def require_password(self, account: Account) -> None:
        """Raises USER-183."""
        if not await self.allows_password(account):
            raise NO_PASSWORDS.error(org_id=account.org.id)

    async def record_exemption(self, account: Account, rule: str = "") -> None:
        """Publishes and logs that a password was right, or a place accepted, only because of the exemption."""
        user, org = account
        values = {"userId": user.id} | ({"rule": rule} if rule else {})
        await self.journal.publish(
            RULE_EXEMPTED,
            partial(RuleExempted, user_id=user.id, org_id=org.id),
            about=user.id,
            logged=Occurrence(sign_ins.SIGN_INS, org.id, sign_ins.RULE_EXEMPTED, values),
        )

    async def check_exemption(self, ask: CheckExemption) -> ExemptionChecked:
        """Whether an instance owner may sign in from a place that the rules refuse to other users."""
        account = await self.accounts.find_active(ask.user_id)
        if account is None or not (await self.policies.rules_of(account.org)).exempt_instance_owners:
            return ExemptionChecked()
        if not await self.is_owner(account.user.id):
            return ExemptionChecked()
        if ask.is_sign_in:
            await self.record_exemption(account, ask.rule)
        return ExemptionChecked(exempt=True)

    async def is_owner(self, user_id: str) -> bool:
        member = await self.members.find_of(user_id, INSTANCE)
        return member is not None and INSTANCE_OWNER in member.roles
