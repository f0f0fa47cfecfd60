"""Who has policies: an organization, or for all that say nothing the instance; and how they are changed."""

from __future__ import annotations

from typing import Any

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import Details, details_of
from portico_users.api.transport.call import Call, RequestContext, Target
from portico_users.api.transport.decision import NOT_PERMITTED
from portico_users.api.transport.needs import Needs
from portico_users.api.transport.targets import EVERYWHERE
from portico_users.directory.instance.changes import put_instance
from portico_users.directory.instance.instance import UNSET, Instance
from portico_users.directory.organizations.changes import put_org
from portico_users.directory.organizations.org import Org
from portico_users.directory.policies.login_rules import LoginRules
from portico_users.directory.policies.policies import Policies, effective
from portico_users.kernel.entry import Entry
from portico_users.kernel.records import Record
from portico_users.kernel.states import refuse_unchanged

POLICY_EXISTS = ErrorCode(
    "USER-618", Kind.ALREADY_EXISTS, "The organization has its own policy already.", "Change it, or reset it first."
)
POLICY_NOT_FOUND = ErrorCode(
    "USER-619",
    Kind.NOT_FOUND,
    "The organization has no policy of its own.",
    "Add one; until then the instance's holds.",
)

Holder = Org | Instance


async def the_instance(context: RequestContext, _request: object) -> Target[Instance]:
    """The instance, set or not."""
    return Target(EVERYWHERE, await context.needs.instances.find_settings() or UNSET, NOT_PERMITTED)


async def policies_in_force(needs: Needs, holder: Holder) -> Policies:
    """What holds: what the holder says, and for the rest the instance."""
    return effective(holder.policies, (await needs.instances.find_settings() or UNSET).policies)


async def rules_in_force(needs: Needs, holder: Holder) -> tuple[LoginRules, LoginRules]:
    """The holder's login rules and those of the instance."""
    return holder.login_rules, (await needs.instances.find_settings() or UNSET).login_rules


def is_default(holder: Holder, name: str) -> bool:
    """The policy of a name is the instance's."""
    return isinstance(holder, Instance) or getattr(holder.policies, name) is None


async def add_own(call: Call[Org], name: str, value: msgspec.Struct) -> Details:
    """Gives the organization a policy of its own; USER-618 when it has one."""
    if not is_default(call.target.subject, name):
        raise POLICY_EXISTS.error()
    return await _set(call, name, value)


async def update_own(call: Call[Holder], name: str, value: msgspec.Struct) -> Details:
    """Replaces a policy; USER-619 when an organization has none of its own, USER-702 when nothing changes."""
    holder = call.target.subject
    if isinstance(holder, Org) and is_default(holder, name):
        raise POLICY_NOT_FOUND.error()
    return await _set(call, name, value)


async def reset_own(call: Call[Org], name: str) -> Details:
    """From now on the instance's holds; USER-619 when it does already."""
    if is_default(call.target.subject, name):
        raise POLICY_NOT_FOUND.error()
    return await _set(call, name, None)


async def _set(call: Call[Any], name: str, value: msgspec.Struct | None) -> Details:
    holder: Holder = call.target.subject
    policies = msgspec.structs.replace(holder.policies, **{name: value})
    return await put(call, msgspec.structs.replace(holder, policies=policies))


async def put(call: Call[Any], after: Holder) -> Details:
    """Commits a changed holder.

    Raises:
        ServiceError: USER-702 when nothing changes, and of the rules of organizations and policies.
    """
    before: Holder = call.target.subject
    refuse_unchanged(before, after)
    entry: Entry[Any] = _entry(before, after)
    record: Record = await commit(call, entry)
    return details_of(record)


def _entry(before: Holder, after: Holder) -> Entry[Any]:
    if isinstance(after, Org):
        return put_org(before if isinstance(before, Org) else None, after)
    return put_instance(before if isinstance(before, Instance) and before.sequence else None, after)
