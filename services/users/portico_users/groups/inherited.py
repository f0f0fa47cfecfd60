"""What groups give their members: computed when a user or a group is written, so that reading costs nothing more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import AnyUser
from portico_users.end_users.end_user import EndUser
from portico_users.grants.role_grants import RoleGrant
from portico_users.groups.group import Group, is_there
from portico_users.groups.memberships import InGroup, InGroups, direct
from portico_users.values.problems import Problem, Problems

OneUser = TypeVar("OneUser", bound=AnyUser)

MAX_GROUPS: Final = 500

TOO_MANY_GROUPS = ErrorCode(
    "USER-104", Kind.INVALID_REQUEST, "This user is in too many groups.", "Add a user to at most 500 groups."
)


def in_groups(user: OneUser, groups: InGroups, known: Mapping[str, Group]) -> OneUser:
    """Puts the user into these groups and those they belong to, as they are in ``known``, and into no others."""
    links = {link.key for link in user.idp_links} if isinstance(user, EndUser) else set()
    found: dict[str, InGroup] = {}
    via: dict[str, set[str]] = {}
    for one in direct(groups):
        group = known.get(one.id)
        kept = msgspec.structs.replace(one, links=tuple(key for key in one.links if key in links))
        if group is None or not is_there(group, user.org_id) or not kept.is_direct:
            continue
        found[group.id] = kept
        for parent in group.parents:
            if is_there(known.get(parent), user.org_id):
                via.setdefault(parent, set()).add(group.id)
    places = tuple(
        _as_now(found.get(id, InGroup(id=id)), known[id], via.get(id, ())) for id in sorted({**found, **via})
    )
    grants = merged(grant for one in places for grant in known[one.id].grants)
    return msgspec.structs.replace(user, groups=places, group_grants=grants)


def problems_of_groups(user: AnyUser) -> Problems:
    if len(user.groups) > MAX_GROUPS:
        yield Problem("groups", TOO_MANY_GROUPS)


def merged(grants: Iterable[RoleGrant]) -> tuple[RoleGrant, ...]:
    together: dict[tuple[str, str, str], set[str]] = {}
    for grant in grants:
        together.setdefault((grant.project_id, grant.org_id, grant.project_grant_id), set()).update(grant.role_keys)
    return tuple(
        RoleGrant(project_id=project, org_id=org, role_keys=tuple(sorted(keys)), project_grant_id=by)
        for (project, org, by), keys in sorted(together.items())
    )


def _as_now(one: InGroup, group: Group, via: Iterable[str]) -> InGroup:
    return msgspec.structs.replace(one, name=group.name, sequence=group.sequence, via=tuple(sorted(via)))
