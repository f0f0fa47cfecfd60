"""Finds the grant a request names."""

from __future__ import annotations

from typing import Protocol

from portico_users.accounts.grants import HeldGrant
from portico_users.domain.names import MAX_LENGTH
from portico_users.domain.records import State
from portico_users.domain.role_grants import GRANT_ABSENT, load_grant
from portico_users.management.call import Question, Target
from portico_users.management.targets import header_org_id


class NamesGrant(Protocol):
    """A request with the ids of a user and of a grant."""

    @property
    def user_id(self) -> str:
        """The id of the user."""
        ...

    @property
    def grant_id(self) -> str:
        """The id of the grant."""
        ...


async def named_grant(question: Question, request: NamesGrant) -> Target[HeldGrant]:
    """The grant whose id the request has. It belongs to the organization that gave it.

    Raises:
        Refusal: USER-724 when there is none, whichever of the two ids is wrong; USER-313 for a header that may not be.
    """
    header_org_id(question)
    user = await question.needs.accounts.find(request.user_id[: MAX_LENGTH + 1])
    if user is None or user.state is State.DELETED:
        raise GRANT_ABSENT.refusal()
    grant = load_grant(user.id, user.grants, request.grant_id)
    return Target(grant.org_id, HeldGrant(user, grant), GRANT_ABSENT, user_id=user.id)
