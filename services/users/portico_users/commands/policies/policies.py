"""Adds, replaces and resets policies of every kind but the login policy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.commands.command import Command
from portico_users.commands.policies.change_settings import ChangeSettings, Holder
from portico_users.directory.instance.instance import Instance
from portico_users.directory.organizations.org import Org
from portico_users.directory.policies.kinds import PolicyKind
from portico_users.directory.policies.policies import Policies, problems_of
from portico_users.kernel.problems import refuse_first
from portico_users.kernel.records import Record

POLICY_EXISTS = ErrorCode(
    "USER-618", Kind.ALREADY_EXISTS, "The organization already has its own policy.", "Change it, or reset it first."
)
POLICY_NOT_FOUND = ErrorCode(
    "USER-619",
    Kind.NOT_FOUND,
    "The organization uses the policy of the instance.",
    "Add a policy for the organization first.",
)


def is_default(holder: Holder, kind: PolicyKind) -> bool:
    """The policy in force is the instance's."""
    return isinstance(holder, Instance) or getattr(holder.policies, kind.name) is None


def with_policies(policies: Policies, wanted: Iterable[tuple[PolicyKind, msgspec.Struct, str]]) -> Policies:
    """The policies with some kinds replaced.

    Args:
        wanted: kind, new value, and the place of the value in the caller's document.

    Raises:
        ServiceError: USER-620, USER-621, USER-005 with the place, for a value that is not valid.
    """
    changed = {kind.name: value for kind, value, _ in wanted}
    for kind, value, place in wanted:
        refuse_first(problems_of(msgspec.structs.replace(Policies(), **{kind.name: value})), place)
    return msgspec.structs.replace(policies, **changed)


@dataclass(frozen=True, slots=True)
class AddPolicy(Command):
    """Gives an organization a policy of its own."""

    change: ChangeSettings

    async def __call__(self, org: Org, kind: PolicyKind, policy: msgspec.Struct, *, actor: str) -> Record:
        """The organization; USER-618 when it has its own already, and as `ChangeSettings`."""
        if not is_default(org, kind):
            raise POLICY_EXISTS.error()
        return await self.change(org, _with(org, kind, policy), actor=actor)


@dataclass(frozen=True, slots=True)
class UpdatePolicy(Command):
    """Replaces a policy of an organization or of the instance."""

    change: ChangeSettings

    async def __call__(self, holder: Holder, kind: PolicyKind, policy: msgspec.Struct, *, actor: str) -> Record:
        """The holder; USER-619 when an organization has none of its own, and as `ChangeSettings`."""
        if isinstance(holder, Org) and is_default(holder, kind):
            raise POLICY_NOT_FOUND.error()
        return await self.change(holder, _with(holder, kind, policy), actor=actor)


@dataclass(frozen=True, slots=True)
class ResetPolicy(Command):
    """Removes the policy of an organization, so that the instance's is in force."""

    change: ChangeSettings

    async def __call__(self, org: Org, kind: PolicyKind, *, actor: str) -> Record:
        """The organization; USER-619 when it has none of its own."""
        if is_default(org, kind):
            raise POLICY_NOT_FOUND.error()
        return await self.change(org, _with(org, kind, None), actor=actor)


def _with(holder: Holder, kind: PolicyKind, policy: msgspec.Struct | None) -> Holder:
    policies = msgspec.structs.replace(holder.policies, **{kind.name: policy})
    return msgspec.structs.replace(holder, policies=policies)
