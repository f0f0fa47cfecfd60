from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from portico_contracts.users import Client, User
from portico_oauth.scopes import OWN_PROJECT, project_in

Audiences = Mapping[str, tuple[str, ...]]
"""Members of the audience, by id of each project the client may name."""

OWN_AUDIENCE: Final[Audiences] = {OWN_PROJECT: (OWN_PROJECT,)}


def audience_of(client: Client, scope: Iterable[str], audiences: Audiences) -> tuple[str, ...]:
    """The client itself, then its project and that project's other clients, then the projects named by the scope."""
    return tuple(dict.fromkeys((client.client_id, *client.audience, *_named(scope, audiences))))


def audience_of_service_user(user: User, scope: Iterable[str], audiences: Audiences) -> tuple[str, ...]:
    """The projects named by the scope; without any, the service user itself."""
    return tuple(dict.fromkeys(_named(scope, audiences))) or (user.user_id,)


def without_other_projects(scope: Iterable[str], audiences: Audiences) -> tuple[str, ...]:
    return tuple(word for word in scope if (project := project_in(word)) is None or project in audiences)


def _named(scope: Iterable[str], audiences: Audiences) -> Iterator[str]:
    for word in scope:
        project = project_in(word)
        if project is not None:
            yield from audiences.get(project, ())
