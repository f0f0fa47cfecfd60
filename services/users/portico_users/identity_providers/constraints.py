"""Constraints of identity providers: what a mapping gives a user ends with the mapping and with the provider, and so
does the link of the user.
"""

from __future__ import annotations

from typing import NamedTuple

from portico_users.accounts.account import AnyUser
from portico_users.end_users.end_user import EndUser, GivenRole
from portico_users.identity_providers.endings import Ending
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.issuers import group_key, keeps_identities
from portico_users.identity_providers.store import IDPS
from portico_users.journal.constraints import NO_CONSTRAINTS, Constraints, Continued
from portico_users.storage.entry import NOT_DELETED, Entry, VersionGuard
from portico_users.values.records import State


class Rights(NamedTuple):
    """Ids of groups, and roles of projects."""

    groups: frozenset[str]
    roles: frozenset[GivenRole]


def guards_of_providers(entry: Entry[AnyUser]) -> list[VersionGuard]:
    """A provider that gives something new is touched, so that its change or deletion finds this user."""
    new = _given(entry.after) - (_given(entry.before) if entry.before else set())
    return [VersionGuard(IDPS.name, id, NOT_DELETED) for id in sorted({idp_id for idp_id, _right in new})]


def of_idp(entry: Entry[Idp]) -> Constraints:
    """Of what ends at most some is written with the change; the rest is in force without that (decision 0156)."""
    ended = ended_by(entry)
    before, is_gone = entry.before, entry.before is not None and entry.after.state is State.DELETED
    if before is None or not (is_gone or any(ended)):
        return NO_CONSTRAINTS
    groups, roles = tuple(sorted(ended.groups)), tuple(sorted(ended.roles))
    ending = Ending(idp_id=before.id, number=before.sequence + 1, groups=groups, roles=roles, links=is_gone)
    return Constraints(continued=Continued(ending.users(), ending.note), relied_on=ending.is_noted)


def ended_by(entry: Entry[Idp]) -> Rights:
    """Returns what a change of a provider ends.

    A user has a group without a note which group of the provider gave it. So a group ends if any of its lines ends,
    and users whom another line puts there have it again after the next sign-in.
    """
    before, after = entry.before, entry.after
    if before is None:
        return Rights(frozenset(), frozenset())
    # Links that no sign-in uses again would keep what they gave, even if the same groups give it to the next ones.
    ends_all = after.state is State.DELETED or not keeps_identities(before.config, after.config)
    groups = _lines_of_groups(before) - (frozenset() if ends_all else _lines_of_groups(after))
    roles = _lines_of_roles(before) - (frozenset() if ends_all else _lines_of_roles(after))
    return Rights(frozenset(id for *_, id in groups), frozenset(role for *_, role in roles))


def _lines_of_groups(idp: Idp) -> frozenset[tuple[str, str, str]]:
    tables = idp.tables
    return frozenset(
        (tables.groups_claim, group_key(idp.config, line.group), line.group_id) for line in tables.memberships
    )


def _lines_of_roles(idp: Idp) -> frozenset[tuple[str, str, GivenRole]]:
    tables = idp.tables
    return frozenset(
        (tables.groups_claim, group_key(idp.config, line.group), (line.project_id, key))
        for line in tables.groups
        for key in line.role_keys
    )


def _given(user: AnyUser) -> set[tuple[str, object]]:
    found: set[tuple[str, object]] = {(key.partition("\n")[0], one.id) for one in user.groups for key in one.links}
    links = user.idp_links if isinstance(user, EndUser) else ()
    return found | {(link.idp_id, role) for link in links for role in link.granted}
