from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from portico_oauth.errors import ErrorCode, Kind

from portico_users.bulk.apply.step import Step
from portico_users.kernel.names import INSTANCE
from portico_users.kernel.problems import at
from portico_users.kernel.records import State
from portico_users.resources.accounts.account import AnyUser
from portico_users.resources.accounts.store import MongoAccounts
from portico_users.resources.end_users.end_user import EndUser
from portico_users.resources.members.member import Member, MongoMembers
from portico_users.resources.members.permissions import INSTANCE_OWNER
from portico_users.resources.service_users.service_user import ServiceUser

LAST_OWNER = ErrorCode(
    "USER-835",
    Kind.FAILED_PRECONDITION,
    "The instance would have no administrator.",
    "Keep an active user with the role IAM_OWNER, or add another one.",
)


@dataclass(frozen=True, slots=True)
class OwnerGuard:
    members: MongoMembers
    accounts: MongoAccounts

    async def require_owner(self, steps: Sequence[Step]) -> None:
        # There may be many owners: read them only if the plan removes one, and only until a remaining one is found.
        if not any(_takes(record) for _, record in _records(steps)) or await self._stays_one(steps):
            return
        if place := await self._place_of_last(steps):
            raise at(place, LAST_OWNER.error())

    async def _stays_one(self, steps: Sequence[Step]) -> bool:
        touched = {record.user_id for _, record in _records(steps) if isinstance(record, Member)}
        touched |= {record.id for _, record in _records(steps) if isinstance(record, EndUser | ServiceUser)}
        for member in await self.members.list_owners():
            if member.user_id not in touched and await self._acts(member.user_id):
                return True
        return False

    async def _place_of_last(self, steps: Sequence[Step]) -> str:
        """Returns the path of the change that removes the last owner; empty if an owner remains or there was none."""
        users = [member.user_id for member in await self.members.list_owners()]
        owners = {id for id in users if await self._acts(id)}
        acting: dict[str, bool] = {id: id in owners for id in users}
        held = dict.fromkeys(users, True)
        place = ""
        for step, record in _records(steps):
            match record:
                case Member() if record.scope_id == INSTANCE:
                    held[record.user_id] = INSTANCE_OWNER in record.roles
                case EndUser() | ServiceUser():
                    acting[record.id] = record.state is State.ACTIVE
                case _:
                    continue
            left = {id for id, has in held.items() if has and acting.get(id, await self._acts(id))}
            place, owners = (step.path if owners and not left else place), left
        return "" if owners else place

    async def _acts(self, id: str) -> bool:
        user: AnyUser | None = await self.accounts.find(id)
        return user is not None and user.state is State.ACTIVE


def _takes(record: Any) -> bool:
    match record:
        case Member():
            return record.scope_id == INSTANCE and INSTANCE_OWNER not in record.roles
        case EndUser() | ServiceUser():
            return record.state is not State.ACTIVE
        case _:
            return False


def _records(steps: Sequence[Step]) -> Iterator[tuple[Step, Any]]:
    return ((step, entry.after) for step in steps for entry in step.entries)
