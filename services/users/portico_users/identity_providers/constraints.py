"""Constraints of identity providers: what a mapping gives a user ends with the mapping and with the provider, and so
does the link of the user.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import msgspec
from portico_runtime.mongo.client import Database, Session

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import ACCOUNTS, changed_user
from portico_users.end_users.changes import counted
from portico_users.end_users.end_user import EndUser, GivenRole, with_link_roles, without_link_roles
from portico_users.end_users.idp_links import link_prefix
from portico_users.groups.group import GROUPS
from portico_users.groups.inherited import own_links
from portico_users.groups.memberships import groups_by, with_linked
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.issuers import group_key, keeps_identities
from portico_users.identity_providers.store import IDPS
from portico_users.journal.constraints import AT_ONCE, NO_CONSTRAINTS, Cascade, Constraints
from portico_users.storage.entry import NOT_DELETED, Document, Entry, VersionGuard
from portico_users.values.records import Record, State


class Rights(NamedTuple):
    """Ids of groups, and roles of projects."""

    groups: frozenset[str]
    roles: frozenset[GivenRole]


def guards_of_providers(entry: Entry[AnyUser]) -> list[VersionGuard]:
    """A provider that gives something new is touched, so that its change or deletion finds this user."""
    new = _given(entry.after) - (_given(entry.before) if entry.before else set())
    return [VersionGuard(IDPS.name, id, NOT_DELETED) for id in sorted({idp_id for idp_id, _right in new})]


def of_idp(entry: Entry[Idp]) -> Constraints:
    ended = ended_by(entry)
    is_gone = entry.before is not None and entry.after.state is State.DELETED
    cascades = (_users_with(entry.after.id, ended, is_gone=is_gone),) if any(ended) else ()
    deferred = (users_linked_to(entry.after.id),) if is_gone else ()
    return Constraints(cascades=cascades, deferred=deferred) if cascades or deferred else NO_CONSTRAINTS


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


def users_linked_to(idp_id: str) -> Cascade:
    """Ends the links to a removed provider, which does not sign anyone in any longer."""
    return _changed(idp_id, {}, _unlinked)


def _users_with(idp_id: str, ended: Rights, *, is_gone: bool) -> Cascade:
    roles = [list(role) for role in sorted(ended.roles)]
    having_role = {"idpLinks": {"$elemMatch": {"idpId": idp_id, "granted": {"$in": roles}}}}
    change = _unlinked if is_gone else partial(_without, ended=ended)

    async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
        # A deleted group gives nothing, however many members it had.
        wanted = {"_id": {"$in": sorted(ended.groups)}, **NOT_DELETED}
        groups = [row["_id"] async for row in database[GROUPS.name].find(wanted, {"_id": 1}, session=session)]
        in_group = {"groups": {"$elemMatch": {"id": {"$in": groups}, "links": _of_provider(idp_id)}}}
        return await _changed(idp_id, {"$or": [in_group, having_role]}, change)(database, session)

    return find


def _changed(idp_id: str, question: Document, change: Callable[[EndUser, str], EndUser]) -> Cascade:
    async def find(database: Database, session: Session) -> Sequence[Entry[Record]]:
        rows = database[ACCOUNTS.name].find({"linkKeys": _of_provider(idp_id), **question}, session=session)
        users = [ACCOUNTS.record(row) for row in await rows.limit(AT_ONCE).to_list(AT_ONCE)]
        humans = [user for user in users if isinstance(user, EndUser)]
        return [changed_user(user, counted(user, change(user, idp_id))) for user in humans]

    return find


def _of_provider(idp_id: str) -> Document:
    return {"$regex": f"^{re.escape(link_prefix(idp_id))}"}


def _without(user: EndUser, idp_id: str, *, ended: Rights) -> EndUser:
    groups = user.groups
    for link in user.idp_links:
        if link.idp_id == idp_id:
            user = without_link_roles(user, link, ended.roles)
            groups = with_linked(groups, link.key, groups_by(groups, link.key) - ended.groups)
    return msgspec.structs.replace(user, groups=groups)


def _unlinked(user: EndUser, idp_id: str) -> EndUser:
    """Removes the links with all that they gave."""
    for link in user.idp_links:
        if link.idp_id == idp_id:
            user = with_link_roles(user, link.key, user.org_id, frozenset())
    left = tuple(one for one in user.idp_links if one.idp_id != idp_id)
    user = msgspec.structs.replace(user, idp_links=left)
    return msgspec.structs.replace(user, groups=own_links(user, user.groups))
