from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from portico_contracts.users import Api, Client, Target, User, scopes_of
from portico_oauth.scopes import OWN_PROJECT, PROJECT_ROLES, of_apis, own_name, projects_in

Audiences = Mapping[str, tuple[str, ...]]
"""Members of the audience, by id of each project the client may name."""

OWN_AUDIENCE: Final[Audiences] = {OWN_PROJECT: (OWN_PROJECT,)}


def audience_of(client: Client, scope: tuple[str, ...], audiences: Audiences, apis: tuple[Api, ...]) -> tuple[str, ...]:
    """The client, its project and that project's other clients, the projects named by the scope, and the APIs."""
    return tuple(dict.fromkeys((client.client_id, *client.audience, *_named(scope, audiences), *_of_apis(apis))))


def audience_of_service_user(
    user: User, scope: tuple[str, ...], audiences: Audiences, apis: tuple[Api, ...]
) -> tuple[str, ...]:
    """The projects named by the scope and the APIs; without any, the service user itself."""
    return tuple(dict.fromkeys((*_named(scope, audiences), *_of_apis(apis)))) or (user.user_id,)


def audience_of_targets(targets: tuple[Target, ...]) -> tuple[str, ...]:
    """The resources, and the client ids by which their APIs introspect."""
    return tuple(dict.fromkeys(member for target in targets for member in (target.resource, target.api.client_id)))


def scope_of_targets(scope: tuple[str, ...], targets: tuple[Target, ...]) -> tuple[str, ...]:
    offered = scopes_of(target.api for target in targets)
    return tuple(word for word in scope if word in offered)


def with_roles(words: tuple[str, ...], scope: tuple[str, ...], projects: tuple[str, ...]) -> tuple[str, ...]:
    """Words for resources, with the one for roles if it was requested and a project of the audience has roles."""
    return (*words, *(word for word in scope if own_name(word) == PROJECT_ROLES)) if projects else words


def projects_of_audience(audience: Iterable[str], client: Client, audiences: Audiences) -> tuple[str, ...]:
    """The client's project and those of `audiences` of which the audience has a member: a token has roles of these."""
    members_of = {**audiences, client.project_id: client.audience}
    return tuple(project for project, members in members_of.items() if not {*members}.isdisjoint(audience))


def without_other_projects(scope: tuple[str, ...], audiences: Audiences) -> tuple[str, ...]:
    others = [word for word, project in projects_in(scope).items() if project not in audiences]
    return tuple(word for word in scope if word not in others) if others else scope


def without_unknown(scope: tuple[str, ...], apis: tuple[Api, ...]) -> tuple[str, ...]:
    """The words without those that none of the APIs defines."""
    unknown = of_apis(scope) - scopes_of(apis)
    return tuple(word for word in scope if word not in unknown) if unknown else scope


def _of_apis(apis: tuple[Api, ...]) -> list[str]:
    """Each API introspects with its client id, and finds its resources in a JWT."""
    return [member for api in apis for member in (api.client_id, *api.resources)]


def _named(scope: tuple[str, ...], audiences: Audiences) -> list[str]:
    return [member for project in projects_in(scope).values() for member in audiences.get(project, ())]
