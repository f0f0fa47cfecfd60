"""The target of a token exchange: what `audience` and `resource` name, of what the client may address; and the scope for it."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from portico_contracts.diagnostics import Hint
from portico_contracts.users import Api, Client, scopes_of
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.scopes import OFFLINE_ACCESS, OWN_PROJECT, of_apis, own_name, project_audience, projects_in
from portico_runtime.diagnostics.shown import MOST_WANTED, shown_length

from portico_token.domain.audience import audience_of_targets
from portico_token.grants.permitted_scope import PermittedScope, compare_scope
from portico_token.grants.requested_resources import find_targets
from portico_token.users_client import UsersClient

INVALID_TARGET = ErrorCode(
    "TOKEN-280",
    Kind.INVALID_TARGET,
    "The client cannot get tokens for this audience.",
    "Send the client id of an API that the client may use, or a project id of its organization.",
)


SCOPE_NOT_GRANTED = ErrorCode(
    "TOKEN-281",
    Kind.INVALID_SCOPE,
    "The scope is wider than that of the subject_token, or not for this audience.",
    "Omit the scope, or request a part of the scope of the subject_token that is for the audience.",
)
ACCESS_DENIED_BY_PROJECT = ErrorCode(
    "TOKEN-284",
    Kind.INVALID_REQUEST,
    "The user of the subject_token may not use this application.",
    "Grant the user a role in the project, or grant the project to the user's organization.",
)


class Target(NamedTuple):
    """`apis` are those whose scopes a token for it may have; other scopes only where no resource was named (0097).

    `others` are APIs of the audience that may get none of their scopes.
    """

    audience: tuple[str, ...]
    apis: tuple[Api, ...]
    is_resource: bool
    others: tuple[Api, ...] = ()

    def limited_to(self, audience: Container[str], *, is_narrowed: bool) -> Target:
        """Only APIs in the audience of the subject get scopes: another API may have scopes of the same names.

        A subject narrowed by `resource` gives other scopes, that for roles, to these APIs alone.
        """
        apis = tuple(api for api in self.apis if api.client_id in audience)
        reached = {member for api in apis for member in (api.client_id, *api.resources)}
        return self._replace(
            apis=apis,
            others=tuple(api for api in self.apis if api not in apis),
            is_resource=self.is_resource or (is_narrowed and not reached.issuperset(self.audience)),
        )

    def takes(self, word: str) -> bool:
        """Reports whether a token for this target may have a word of the scope."""
        if self.is_resource or word in of_apis((word,)):
            return word in scopes_of(self.apis) and word not in scopes_of(self.others)
        project = projects_in((word,)).get(word)
        return word != OFFLINE_ACCESS and (project is None or project in self.audience)


async def find_target(
    users_client: UsersClient, client: Client, audience: str | None, resources: tuple[str, ...]
) -> Target:
    """Raises TOKEN-280 and TOKEN-292 alike for an unknown name and for one that the client may not address."""
    apis = await users_client.all_apis_of(client)
    members = audience_of_targets(find_targets(resources, apis))
    if audience is not None:
        named = await _of_audience(users_client, client, apis, audience)
        if not named:
            wanted = (*(api.client_id for api in apis), client.project_id)[:MOST_WANTED]
            compared = Compared("grant", shown_length(audience), wanted, Hint.UNKNOWN)
            raise INVALID_TARGET.error(client=client.client_id, compared=compared)
        members = tuple(dict.fromkeys((*members, *named)))
    return Target(members, tuple(api for api in apis if api.client_id in members), bool(resources))


async def _of_audience(users_client: UsersClient, client: Client, apis: tuple[Api, ...], name: str) -> tuple[str, ...]:
    """The members of the audience; empty where the client may not address it."""
    if api := next((api for api in apis if api.client_id == name), None):
        return (name, *api.resources)
    if name in client.audience:
        return client.audience if name == client.project_id else (name,)
    other = await users_client.find_client(name)
    project = other.project_id if other else name
    # Portico's own API takes no token of an exchange.
    if project == OWN_PROJECT:
        return ()
    scope = (project_audience(project),)
    members = (await users_client.audiences_of(scope, client)).get(project, ())
    return members if name == project else tuple(member for member in members if member == name)


def granted_scope(requested: tuple[str, ...] | None, permitted: PermittedScope, target: Target) -> tuple[str, ...]:
    """The requested words, or all that are for the target; raises TOKEN-281 for any other, and for none.

    Words for which the user has no role are omitted, and are no reason to refuse.
    """
    usable = tuple(word for word in permitted.words if target.takes(word))
    granted = usable if requested is None else requested
    if permitted.withheld:
        granted = tuple(word for word in granted if word not in permitted.withheld)
    if not (granted or permitted.withheld) or not {*map(own_name, granted)} <= {*map(own_name, usable)}:
        raise SCOPE_NOT_GRANTED.error(compared=compare_scope(" ".join(requested or ())))
    return granted
