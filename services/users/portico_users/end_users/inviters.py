"""Who invited a person, and whether the invitation can still be accepted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple

from portico_contracts.users import FirstFactor
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.process.clock import Clock

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.codes.challenge import Subject
from portico_users.end_users.codes.user_codes import CodeRequest, Inviter
from portico_users.end_users.end_user import EndUser, Invitation
from portico_users.organizations.org import MongoOrgs
from portico_users.policies.login_policies import LoginPolicies
from portico_users.values.records import State

INVITES_TO_NOTHING = ErrorCode(
    "USER-184",
    Kind.FAILED_PRECONDITION,
    "An invitation sets a password or a passkey, and this organization allows neither.",
    "Allow one of them as a first factor. Users of an identity provider, and those with a verified email address where"
    " emailed codes are allowed, need no invitation.",
)


class Acceptable(Enum):
    YES = "yes"
    EXPIRED = "expired"
    NO = "no"


_ACCEPTED_WITH: Final = (FirstFactor.PASSWORD, FirstFactor.PASSKEY)


class SentInvitation(NamedTuple):
    """`inviter_name` is empty if the inviter no longer exists."""

    invitation: Invitation
    state: Acceptable
    inviter_name: str


@dataclass(frozen=True, slots=True)
class Inviters:
    accounts: MongoAccounts
    orgs: MongoOrgs
    policies: LoginPolicies
    clock: Clock

    async def invitations_of(self, users: Iterable[AnyUser]) -> dict[str, SentInvitation]:
        """Returns the invitations that were neither accepted nor revoked, by the id of the invited user."""
        sent = {one.id: (one, one.invitation) for one in users if isinstance(one, EndUser) and one.invitation}
        inviters = await self.accounts.find_names(invitation.by for _, invitation in sent.values())
        return {
            id: SentInvitation(invitation, self._state(human, invitation), inviters.get(invitation.by, ""))
            for id, (human, invitation) in sent.items()
        }

    async def naming(
        self, requests: Iterable[CodeRequest | None], org_id: str, actor: str
    ) -> tuple[CodeRequest | None, ...]:
        """Adds the person who sends them to invitations; the email does not name a service user.

        Raises USER-184 for an invitation that could not be accepted in the organization.
        """
        known = tuple(requests)
        if not any(one and one.subject is Subject.INVITE for one in known):
            return known
        rules = await self.policies.rules_of(await self.orgs.find(org_id))
        if not any(map(rules.may_begin_with, _ACCEPTED_WITH)):
            raise INVITES_TO_NOTHING.error(org_id=org_id)
        user = await self.accounts.find(actor)
        inviter = Inviter(actor, user.display_name if isinstance(user, EndUser) else "")
        return tuple(replace(one, inviter=inviter) if one and one.subject is Subject.INVITE else one for one in known)

    def _state(self, human: EndUser, invitation: Invitation) -> Acceptable:
        if human.state is not State.ACTIVE:
            return Acceptable.NO
        return Acceptable.YES if self.clock.now() < invitation.until else Acceptable.EXPIRED
