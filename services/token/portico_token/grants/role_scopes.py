"""Scopes of APIs that need a role: the requested part is granted that the roles of the user allow (decision 0142)."""

from __future__ import annotations

from collections.abc import Iterable

from portico_contracts.users import Api

from portico_token.cached_users import CachedUsers


async def withheld_scopes(
    users: CachedUsers, scope: tuple[str, ...], apis: Iterable[Api], user_id: str, version: str | None = None
) -> tuple[str, ...]:
    """The words of the scope for which the user has no role, at one of the APIs that define them.

    A token is for all of these APIs, so that a word is granted only if each of them gives it, as with consent. Ask only
    where an API has such scopes: without any, nothing is read.
    """
    limits = [(api.project_id, one) for api in apis for one in api.role_scopes if one.scope in scope]
    projects = tuple(sorted({project for project, _one in limits}))
    roles = await users.roles_of(user_id, projects, version)
    withheld = {one.scope for project, one in limits if roles.get(project, {}).keys().isdisjoint(one.roles)}
    return tuple(word for word in scope if word in withheld)


def with_words(apis: tuple[Api, ...], scope: tuple[str, ...]) -> tuple[Api, ...]:
    """The APIs that define a word of the scope: a token is not for one of which every word was withheld."""
    return tuple(api for api in apis if not {*scope}.isdisjoint(api.scopes))
