"""Users of either kind: their names, their organization, and their state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import AnyUser
from portico_users.accounts.states import Deletion, Transition, put_state, transition_between
from portico_users.administrators.member import MongoMembers
from portico_users.credentials.passwords.setting import PasswordSetting
from portico_users.credentials.revocations import Revocations
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.end_user import EndUser
from portico_users.identity_providers.idp import Idp
from portico_users.journal.command import Command, Commit
from portico_users.organizations.org import ORG_NOT_FOUND, MongoOrgs, Org, domain_keys
from portico_users.service_users.changes import put_service_user
from portico_users.storage.entry import Attachment, Entry
from portico_users.values.names import MAX_LENGTH, split_address
from portico_users.values.problems import at
from portico_users.values.records import Record, State

FOREIGN_DOMAIN = ErrorCode(
    "USER-864",
    Kind.INVALID_REQUEST,
    "This user name ends in the domain of another organization.",
    "Use a name without a domain, or one that ends in a domain of your organization.",
)


@dataclass(frozen=True, slots=True)
class Beside:
    """Records by id that are committed before the change but not stored yet."""

    orgs: Mapping[str, Org] = field(default_factory=dict)
    idps: Mapping[str, Idp] = field(default_factory=dict)


ALONE: Final = Beside()


@dataclass(frozen=True, slots=True)
class UserNames(Command):
    orgs: MongoOrgs

    async def is_foreign(self, user_name: str, org_id: str, beside: Beside = ALONE) -> bool:
        """Reports whether the name ends in a primary or verified domain of another organization."""
        _, domain = split_address(user_name)
        if not domain:
            return False
        owner = next((org for org in beside.orgs.values() if domain in domain_keys(org)), None)
        if owner is None:
            stored = await self.orgs.find_by_domain(domain)
            owner = None if stored is None or stored.id in beside.orgs else stored
        return owner is not None and owner.id != org_id

    async def refuse_foreign(self, user_name: str, org_id: str, place: str, beside: Beside = ALONE) -> None:
        """Raises USER-864 with the path for a name that could pass as another organization's login name."""
        if await self.is_foreign(user_name, org_id, beside):
            raise at(place, FOREIGN_DOMAIN.error())


@dataclass(frozen=True, slots=True)
class RenameUser(Command):
    user_names: UserNames
    commit: Commit

    async def __call__(self, user: AnyUser, user_name: str, *, actor: str) -> AnyUser:
        await self.user_names.refuse_foreign(user_name, user.org_id, "username")
        if isinstance(user, EndUser):
            human = put_end_user(user, msgspec.structs.replace(user, user_name=user_name))
            return await self.commit.change(human, actor=actor)
        service_user = put_service_user(user, msgspec.structs.replace(user, user_name=user_name))
        return await self.commit.change(service_user, actor=actor)


ORGS_DIFFER = ErrorCode(
    "USER-316",
    Kind.INVALID_REQUEST,
    "The id and the domain belong to different organizations.",
    "Name the organization by either its id or its domain.",
)


def _knows_all(_org_id: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class UserOrgs(Command):
    orgs: MongoOrgs

    async def find_named(self, org_id: str, domain: str = "", *, knows: Callable[[str], bool] = _knows_all) -> Org:
        """Finds an organization by id, domain or both; ``knows``: the caller may learn that an id exists."""
        found = []
        if org_id:
            found.append(await self.orgs.find(org_id[: MAX_LENGTH + 1]))
        if domain:
            found.append(await self.orgs.find_by_domain(domain))
        org = found[0]
        if org is None or org.state is not State.ACTIVE or None in found:
            raise ORG_NOT_FOUND.error()
        if any(other is not None and other.id != org.id for other in found):
            raise (ORGS_DIFFER if all(one and knows(one.id) for one in found) else ORG_NOT_FOUND).error()
        return org


_DELETED = State.DELETED.value


@dataclass(frozen=True, slots=True)
class StateEffects:
    attachments: tuple[Attachment, ...] = ()
    resets_attempts: bool = False


@dataclass(frozen=True, slots=True)
class ChangeUserState(Command):
    revocations: Revocations
    passwords: PasswordSetting
    commit: Commit

    async def __call__(self, user: AnyUser, transition: Transition, *, actor: str) -> AnyUser:
        """Raises `unavailable` also if only the revocation is incomplete: repeating the call completes it."""
        effects = self._effects(user, transition)
        # After a 503 the caller repeats the call: the state is already changed, and only the revocation is missing.
        repeated = (
            user.state is transition.after
            and transition.ends_grants
            and await self.revocations.is_pending(user.id, transition.after.value)
        )
        if not repeated:
            user = await self.commit(put_state(user, transition, *effects.attachments), actor=actor)
        if transition.ends_grants:
            await self.revocations.complete(user.id)
        if effects.resets_attempts:
            await self.passwords.reset_lockout(user)
        return user

    def effects(self, user: AnyUser, wanted: State) -> StateEffects:
        if user.state is wanted:
            return StateEffects()
        return self._effects(user, transition_between(user.state, wanted))

    def _effects(self, user: AnyUser, transition: Transition) -> StateEffects:
        if not transition.ends_grants:
            return StateEffects(resets_attempts=True)
        return StateEffects((self.revocations.request_revocation(user.id, transition.after.value, sessions=True),))


@dataclass(frozen=True, slots=True)
class DeleteUser(Command):
    """Deletes a user with memberships and credentials; the id is never reused."""

    deletion: Deletion
    members: MongoMembers
    revocations: Revocations
    commit: Commit

    async def __call__(self, user: AnyUser, *, actor: str) -> AnyUser:
        """Raises `unavailable` also if only the revocation is incomplete: repeating the call completes it."""
        deleted = user
        if user.state is not State.DELETED:
            deleted, *_ = await self.commit.all(await self.plan(user), actor=actor)  # type: ignore[assignment] # the first
        await self.revocations.complete(user.id)
        return deleted

    async def plan(self, user: AnyUser) -> tuple[Entry[Record], ...]:
        """Returns the entries; the caller completes the revocation after the commit."""
        revocation = self.revocations.request_revocation(user.id, _DELETED, sessions=True)
        return self.deletion.plan(user, await self.members.list_of_user(user.id), revocation)

    async def is_unfinished(self, user: AnyUser) -> bool:
        """Reports whether the user is deleted but the revocation of all grants is not confirmed."""
        return user.state is State.DELETED and await self.revocations.is_pending(user.id, _DELETED)
