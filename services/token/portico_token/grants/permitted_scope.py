"""What of a granted scope a client may have: a scope alone gives no right in organizations the client is not of."""

from __future__ import annotations

from typing import NamedTuple

from portico_contracts.users import Client
from portico_oauth.errors import Compared
from portico_oauth.scopes import METADATA, STANDARD
from portico_runtime.traces.shown import MOST_WANTED, shown_words

from portico_token.directory import Directory
from portico_token.domain.audience import Audiences, without_other_projects
from portico_token.people import People


class PermittedScope(NamedTuple):
    """The words a client may have.

    Attributes:
        audiences: of the projects that are named.
        left_out: the words it may not have.
    """

    words: tuple[str, ...]
    audiences: Audiences
    left_out: tuple[str, ...]


async def permitted_scope(
    scope: tuple[str, ...],
    client: Client,
    user_id: str,
    *,
    directory: Directory,
    people: People,
    version: str | None = None,
) -> PermittedScope:
    """Leaves out projects the client may not name, and metadata of people its project is neither of nor granted to.

    Raises:
        ServiceError: `unavailable` when users cannot be reached.
    """
    audiences = await directory.audiences_of(scope, client)
    words = without_other_projects(scope, audiences)
    if METADATA in words and not await people.are_of_project(user_id, client, version):
        words = tuple(word for word in words if word != METADATA)
    return PermittedScope(words, audiences, tuple(word for word in scope if word not in words))


def compare_scope(text: str) -> Compared:
    """What diagnostics show of a refused scope."""
    return Compared("scope", shown_words(text, STANDARD), STANDARD[:MOST_WANTED])
