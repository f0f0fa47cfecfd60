from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from portico_contracts import apply as document
from portico_contracts.apply import Key
from portico_contracts.users import Dpop

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.document import MemberPlanner
from portico_users.applications.app_record import ACCESS_TOKEN_TYPES
from portico_users.applications.client_keys.edit_keys import WantedKey, WantedKeys
from portico_users.documents.finding import StateEffects, Wanted, find_existing, with_state
from portico_users.documents.plan import Plan
from portico_users.documents.step import Subject, step_of
from portico_users.grants.document import RoleGrantPlanner
from portico_users.groups.document import GroupMemberPlanner
from portico_users.organizations.org import Org
from portico_users.service_users.commands import AddServiceUser, UpdateServiceUser
from portico_users.service_users.service_user import ServiceUser
from portico_users.storage.entry import Entry
from portico_users.storage.schema import IdSpace
from portico_users.trusted_workloads.workload import TrustedWorkload, workloads_in
from portico_users.values.fields import DeclaredValues
from portico_users.values.problems import below
from portico_users.values.records import State
from portico_users.values.timestamps import unix_seconds


def wanted_keys(wanted: Sequence[Key] | None, path: str, *, exact: bool) -> WantedKeys | None:
    if wanted is None:
        return None
    return WantedKeys([_read(key, f"{path}.keys[{number}]") for number, key in enumerate(wanted)], exact)


def _read(wanted: Key, place: str) -> WantedKey:
    with below(f"{place}.expirationDate"):
        # 0 means no expiration, so 1970 becomes 1.
        expires_at = max(unix_seconds(wanted.expiration_date), 1.0) if wanted.expiration_date else 0.0
    return WantedKey(wanted.public_key, wanted.id, expires_at)


def _with_settings(base: ServiceUser, wanted: document.ServiceUser) -> ServiceUser:
    return msgspec.structs.replace(
        base,
        user_name=wanted.username,
        name=wanted.name,
        description=wanted.description,
        access_token_type=ACCESS_TOKEN_TYPES[wanted.access_token_type],
        access_token_alg=wanted.access_token_alg,
        dpop=Dpop(wanted.dpop.value),
    )


def _wanted_workloads(base: ServiceUser, wanted: document.ServiceUser, path: str) -> tuple[TrustedWorkload, ...]:
    with below(path):
        return workloads_in(DeclaredValues(wanted), base.trusted_workloads)


@dataclass(frozen=True, slots=True)
class ServiceUserPlanner:
    member_planner: MemberPlanner
    state_effects: StateEffects
    role_grant_planner: RoleGrantPlanner
    group_member_planner: GroupMemberPlanner
    accounts: MongoAccounts
    ids: IdSpace
    add_service_user: AddServiceUser
    update_service_user: UpdateServiceUser

    async def plan_service_user(self, plan: Plan, org: Org, wanted: document.ServiceUser, path: str) -> None:
        before = await self._find_service_user(org, wanted, path)
        base = before or ServiceUser(
            id=wanted.id or await plan.new_id(path), org_id=org.id, user_name=wanted.username, name=wanted.name
        )
        after = msgspec.structs.replace(
            base if plan.keeps(before) else _with_settings(base, wanted),
            trusted_workloads=_wanted_workloads(base, wanted, path),
            grants=await self.role_grant_planner.plan_grants(plan, org, base.grants, wanted.grants, path),
        )
        after = with_state(before, after, wanted.state, path)
        entry, made = await self._plan(plan, before, after, wanted, path)
        after = await self.group_member_planner.in_groups(plan, org, entry, wanted.groups, path)
        entry = dataclasses.replace(entry, after=after)
        roles = await self.member_planner.plan_roles(plan, before, after, wanted.roles, path)
        step = step_of(Subject("service_user", path, wanted.username), entry, roles, secret=made)
        plan.add_user(after, self.state_effects.with_consequences(before, after, step))

    async def _plan(
        self, plan: Plan, before: ServiceUser | None, after: ServiceUser, wanted: document.ServiceUser, path: str
    ) -> tuple[Entry[ServiceUser], str]:
        keys, secret = wanted_keys(wanted.keys, path, exact=plan.prune), wanted.secret or ""
        with below(path):
            if before is None:
                planned = await self.add_service_user.plan(after, keys=keys, secret=secret, beside=plan.beside)
                return planned.entry, planned.secret
            update = self.update_service_user
            return await update.plan(before, after, keys=keys, secret=secret, beside=plan.beside), ""

    async def _find_service_user(self, org: Org, wanted: document.ServiceUser, path: str) -> ServiceUser | None:
        named = await self.accounts.find_by_name(wanted.username)

        def fits(user: AnyUser) -> bool:
            return isinstance(user, ServiceUser) and user.org_id == org.id and user.state is not State.DELETED

        question: Wanted[AnyUser] = Wanted(path, wanted.id, "username", fits, self.accounts.find, named)
        found = await find_existing(self.ids, question)
        return found if isinstance(found, ServiceUser) else None
