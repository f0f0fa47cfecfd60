"""Who a token is for."""

from __future__ import annotations

from collections.abc import Iterable

from portico_contracts.users import Client
from portico_oauth.scopes import project_in


def audience_of(client: Client, scope: Iterable[str]) -> tuple[str, ...]:
    """The client itself, then its project and the other clients of it, then the projects the scope names."""
    projects = (project for word in scope if (project := project_in(word)))
    return tuple(dict.fromkeys((client.client_id, *client.audience, *projects)))
