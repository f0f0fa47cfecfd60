from __future__ import annotations

from collections.abc import Collection

import msgspec


class InGroup(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A group of a user, with the reasons for it; without any it gives nothing.

    Attributes:
        name: of the group when the user joined; the event log shows it, and nothing else relies on it.
        added: by an administrator, a document or an import.
        links: keys of linked identities whose provider gives this group.
    """

    id: str
    name: str = ""
    added: bool = False
    links: tuple[str, ...] = ()

    @property
    def is_direct(self) -> bool:
        return self.added or bool(self.links)


InGroups = tuple[InGroup, ...]


def direct(groups: InGroups) -> InGroups:
    return tuple(one for one in groups if one.is_direct)


def with_links_in(groups: InGroups, links: Collection[str]) -> InGroups:
    """Keeps what administrators and these linked identities gave."""
    kept = (msgspec.structs.replace(one, links=tuple(key for key in one.links if key in links)) for one in groups)
    return direct(tuple(kept))


def with_added(groups: InGroups, ids: frozenset[str], *, exact: bool = False) -> InGroups:
    """Adds the user to groups; ``exact`` also takes the user out of others it was added to."""
    known = {one.id: one for one in direct(groups)}
    for id in ids:
        known[id] = msgspec.structs.replace(known.get(id, InGroup(id=id)), added=True)
    if exact:
        known = {id: msgspec.structs.replace(one, added=id in ids) for id, one in known.items()}
    return direct(tuple(known.values()))


def with_linked(groups: InGroups, link_key: str, ids: frozenset[str]) -> InGroups:
    """Gives exactly these groups through a linked identity."""
    known = {one.id: one for one in direct(groups)}
    found = []
    for id in {**known, **dict.fromkeys(ids)}:
        one = known.get(id, InGroup(id=id))
        links = (set(one.links) - {link_key}) | ({link_key} if id in ids else set())
        found.append(msgspec.structs.replace(one, links=tuple(sorted(links))))
    return direct(tuple(found))


def groups_by(groups: InGroups, link_key: str) -> frozenset[str]:
    """Returns the ids of groups that a linked identity gives."""
    return frozenset(one.id for one in groups if link_key in one.links)


def without_group(groups: InGroups, id: str) -> InGroups:
    return tuple(one for one in direct(groups) if one.id != id)
