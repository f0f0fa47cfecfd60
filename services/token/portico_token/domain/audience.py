from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from portico_contracts.users import Client, User
from portico_oauth.scopes import OWN_PROJECT, projects_in

Audiences = Mapping[str, tuple[str, ...]]
"""Members of the audience, by id of each project the client may name."""

OWN_AUDIENCE: Final[Audiences] = {OWN_PROJECT: (OWN_PROJECT,)}


def audience_of(client: Client, scope: tuple[str, ...], audiences: Audiences) -> tuple[str, ...]:
    """The client itself, then its project and that project's other clients, then the projects named by the scope."""
    return tuple(dict.fromkeys((client.client_id, *client.audience, *_named(scope, audiences))))


def audience_of_service_user(user: User, scope: tuple[str, ...], audiences: Audiences) -> tuple[str, ...]:
    """The projects named by the scope; without any, the service user itself."""
    return tuple(dict.fromkeys(_named(scope, audiences))) or (user.user_id,)


def without_other_projects(scope: tuple[str, ...], audiences: Audiences) -> tuple[str, ...]:
    others = [word for word, project in projects_in(scope).items() if project not in audiences]
    return tuple(word for word in scope if word not in others) if others else scope


def _named(scope: tuple[str, ...], audiences: Audiences) -> list[str]:
    return [member for project in projects_in(scope).values() for member in audiences.get(project, ())]
