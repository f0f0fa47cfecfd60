"""The accounts that users have to have at a target now."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec
from portico_runtime.mongo.client import Database, guarded

from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.end_user import EndUser
from portico_users.groups.group import GROUPS
from portico_users.groups.inherited import Memberships, given_by
from portico_users.identity_providers.endings import Endings
from portico_users.organizations.org import MongoOrgs
from portico_users.scim_targets.client import Resource
from portico_users.scim_targets.target import Included, ScimTarget, UserName
from portico_users.storage.entry import NOT_DELETED, Document
from portico_users.storage.listing import Page
from portico_users.values.records import State

USER_SCHEMA: Final = "urn:ietf:params:scim:schemas:core:2.0:User"
WINDOW: Final = 100

Place = tuple[float, str]

NOT_VERIFIED: Final = "the address of the user is not verified, so it cannot be the userName"


class WantedAccount(NamedTuple):
    """Attributes:
    resource: without ``id`` and without a password, which are never sent.
    problem: why the user can have no account.
    proven_name: the userName is a verified address.
    """

    user_id: str
    active: bool
    user_name: str
    resource: Resource
    problem: str = ""

    @property
    def summary(self) -> str:
        return hashlib.sha256(msgspec.json.encode(self.resource, order="deterministic")).hexdigest()


class Leaver(NamedTuple):
    """A user who has no account to have; ``deleted``: nor will have one."""

    user_id: str
    deleted: bool


@dataclass(frozen=True, slots=True)
class WantedAccounts:
    accounts: MongoAccounts
    orgs: MongoOrgs
    memberships: Memberships
    endings: Endings
    database: Database

    async def find(self, target: ScimTarget, user_ids: Collection[str]) -> dict[str, WantedAccount | Leaver]:
        """Returns one for each user; those of other organizations and unknown ones are leavers."""
        question = {"_id": {"$in": list(user_ids)}, "orgId": target.org_id}
        users = await self.accounts.list_where(question, None) if user_ids else []
        found: dict[str, WantedAccount | Leaver] = {id: Leaver(id, deleted=True) for id in user_ids}
        return found | await self._of_users(target, [user for user in users if isinstance(user, EndUser)])

    async def find_known(self, target: ScimTarget, user_ids: Collection[str]) -> dict[str, WantedAccount | Leaver]:
        """Like `find`, without users that this organization never had."""
        question = {"_id": {"$in": list(user_ids)}, "orgId": target.org_id, "type": "human"}
        known = await self.accounts.list_fields(question, (), None) if user_ids else []
        return await self.find(target, [row["_id"] for row in known])

    async def list_window(
        self, target: ScimTarget, after: Sequence[object] | None
    ) -> list[tuple[WantedAccount | Leaver, Place]]:
        """Returns the next users, each with the place from which the window after it begins; none at the end."""
        question: Document = {"orgId": target.org_id, "type": "human", **NOT_DELETED}
        if target.people is Included.ROLES:
            groups = await self._groups_giving(target)
            ways: list[Document] = [{"grants.projectId": target.project_id}]
            question["$or"] = [*ways, {"groups.id": {"$in": groups}}] if groups else ways
        page = Page(0, WINDOW, "created", ascending=True)
        users = await self.accounts.list_after(question, page, after)
        wanted = await self._of_users(target, [user for user in users if isinstance(user, EndUser)])
        return [(wanted[user.id], (user.created, user.id)) for user in users if user.id in wanted]

    async def _of_users(self, target: ScimTarget, users: Sequence[EndUser]) -> dict[str, WantedAccount | Leaver]:
        org = await self.orgs.find(target.org_id)
        is_active = org is not None and org.state is State.ACTIVE
        found: dict[str, WantedAccount | Leaver] = {}
        for user in users:
            if user.state is State.DELETED or not await self._belongs(target, user):
                found[user.id] = Leaver(user.id, deleted=user.state is State.DELETED)
            else:
                found[user.id] = wanted_of(target, user, org_active=is_active)
        return found

    async def _belongs(self, target: ScimTarget, user: EndUser) -> bool:
        if target.people is Included.ORGANIZATION:
            return True
        now = await self.endings.in_force(user)
        grants = (*now.grants, *given_by(await self.memberships.list_of(now)))
        return any(grant.active and grant.project_id == target.project_id for grant in grants)

    async def _groups_giving(self, target: ScimTarget) -> list[str]:
        """The groups with roles in the project, and those that belong to one of them."""
        groups = self.database[GROUPS.name]
        async with guarded():
            given = await groups.distinct("_id", {"grants.projectId": target.project_id, **NOT_DELETED})
            return sorted({*given, *await groups.distinct("_id", {"parents": {"$in": given}, **NOT_DELETED})})


def wanted_of(target: ScimTarget, user: EndUser, *, org_active: bool = True) -> WantedAccount:
    """Only verified addresses are sent: applications take them for proven, and SCIM has no other mark."""
    by_address = target.user_name is UserName.ADDRESS
    user_name = user.email if by_address else user.user_name
    active = org_active and user.state is State.ACTIVE
    resource: Resource = {
        "schemas": [USER_SCHEMA],
        "externalId": user.id,
        "userName": user_name,
        "name": {
            name: value for name, value in (("givenName", user.first_name), ("familyName", user.last_name)) if value
        },
        "displayName": user.display_name or user_name,
        "active": active,
    }
    if user.email_verified:
        resource["emails"] = [{"value": user.email, "type": "work", "primary": True}]
    problem = NOT_VERIFIED if by_address and not user.email_verified else ""
    return WantedAccount(user.id, active, user_name, resource, problem)
