"""Roles that a user has by the groups of a linked identity, and only for as long as it is in them."""

from __future__ import annotations

import msgspec

from portico_users.directory.grants.role_grants import RoleGrant, with_grants
from portico_users.directory.people.human import Human

GivenRole = tuple[str, str]
"""Project and role."""


def with_link_roles(human: Human, link_key: str, org_id: str, wanted: frozenset[GivenRole]) -> Human:
    """The human with exactly these roles by a link; those that were granted otherwise stay, wanted or not.

    Args:
        link_key: of the link, which remembers what it gave.
        org_id: the organization that gives them.
    """
    before = frozenset(role for link in human.idp_links if link.key == link_key for role in link.granted)
    others = {role for link in human.idp_links if link.key != link_key for role in link.granted}
    own = [grant for grant in human.grants if grant.org_id == org_id and not grant.project_grant_id]
    held = {(grant.project_id, role) for grant in own for role in grant.role_keys}
    added, gone = wanted - held, before - wanted - others
    granted = tuple(sorted((before & wanted & held) | added))
    links = tuple(
        msgspec.structs.replace(link, granted=granted) if link.key == link_key else link for link in human.idp_links
    )
    roles = (held | added) - gone
    stored = {grant.project_id: grant for grant in own}
    changed = [
        msgspec.structs.replace(
            stored.get(project, RoleGrant(project_id=project, org_id=org_id, role_keys=())),
            role_keys=tuple(role for place, role in roles if place == project),
        )
        for project in sorted({project for project, _ in added | gone})
    ]
    return msgspec.structs.replace(human, idp_links=links, grants=with_grants(human.grants, changed))
