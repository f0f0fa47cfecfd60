"""Identity assertions for outside authorization servers (draft-ietf-oauth-identity-assertion-authz-grant, ID-JAG).

The application presents its id_token or refresh token of the user; users decides by the rules of administrators, which
replace consent, and logs what is given (decision 0153). Nothing is stored here, and nothing is consumed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from portico_contracts.authz import LIST_SESSIONS, ListSessions
from portico_contracts.diagnostics import Hint
from portico_contracts.users import (
    REQUEST_ASSERTION,
    AssertionRefusal,
    AssertionRequested,
    Client,
    RequestAssertion,
)
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError
from portico_oauth.resources import is_resource
from portico_oauth.token_types import ID_TOKEN, REFRESH_TOKEN
from portico_runtime.diagnostics.shown import MOST_WANTED, shown_length, shown_uri

from portico_token.domain.clients import AuthenticatedClient
from portico_token.grants.protocol import GrantDependencies
from portico_token.grants.refresh_token import RefreshToken
from portico_token.grants.requested_resources import requested_resources
from portico_token.grants.results import IdentityAssertion
from portico_token.id_token_reader import Unusable

ASSERTION_TARGET = ErrorCode(
    "TOKEN-330",
    Kind.INVALID_TARGET,
    "The application cannot get assertions for this audience and resource.",
    "Send the issuer of an outside server that the organization of the user has registered for the application in"
    " audience, and a resource of it in resource.",
)
ASSERTION_SCOPE = ErrorCode(
    "TOKEN-331",
    Kind.INVALID_SCOPE,
    "The outside server is registered with none of the requested scopes.",
    "Omit the scope, or request one that the rule of the outside server has.",
)
ASSERTION_REFUSED = ErrorCode(
    "TOKEN-332",
    Kind.INVALID_GRANT,
    "No assertion can be issued for this subject_token.",
    "Send a fresh id_token of the application, or its refresh token, of a user whom the rule of the outside server covers.",
)

TYPES: Final = (ID_TOKEN, REFRESH_TOKEN)
_NO_AUDIENCE: Final = Compared("grant", hint=Hint.MISSING)


class _Subject(NamedTuple):
    """The user of a subject token, and how the user signed in."""

    user_id: str
    auth_time: int
    acr: str
    amr: tuple[str, ...]
    version: str | None = None


class IdentityAssertions:
    """Finds what an assertion states; `portico_token.issuing` signs it."""

    def __init__(self, dependencies: GrantDependencies) -> None:
        self._dependencies = dependencies
        self._refresh_tokens = RefreshToken(dependencies)

    async def are_offered(self, client: Client) -> bool:
        """Reports whether any organization has registered an outside server; otherwise there are no assertions."""
        ask = RequestAssertion(client_id=client.client_id)
        answer = await self._dependencies.bus.call(REQUEST_ASSERTION, ask)
        return answer.refusal is not AssertionRefusal.NOT_OFFERED

    async def authorize(
        self, parameters: Mapping[str, str], client: AuthenticatedClient, scope: tuple[str, ...] | None
    ) -> IdentityAssertion:
        audience, resources = parameters.get("audience", ""), requested_resources(parameters)
        if not is_resource(audience):
            raise ASSERTION_TARGET.error(client=client.client.client_id, compared=_NO_AUDIENCE)
        subject = await self._subject(parameters, client)
        users = self._dependencies.users
        if not await users.has_project_access(subject.user_id, client.client, subject.version):
            raise _refused(Unusable(Hint.NOT_ALLOWED, wanted="a user who may use the application"))
        ask = RequestAssertion(
            client_id=client.client.client_id,
            user_id=subject.user_id,
            audience=audience,
            resources=resources,
            scope=scope,
        )
        given = await self._dependencies.bus.call(REQUEST_ASSERTION, ask)
        if given.refusal is not None:
            raise _refused_by_rule(given, ask)
        return IdentityAssertion(
            client=client.client,
            user_id=subject.user_id,
            audience=given.audience,
            client_id=given.client_id,
            resources=given.resources,
            scope=given.scope,
            auth_time=subject.auth_time,
            acr=subject.acr,
            amr=subject.amr,
            email=given.email,
            left_out=tuple(word for word in scope or () if word not in given.scope),
        )

    async def _subject(self, parameters: Mapping[str, str], client: AuthenticatedClient) -> _Subject:
        text = parameters["subject_token"]
        if parameters["subject_token_type"] == ID_TOKEN:
            return await self._of_id_token(text, client.client.client_id)
        try:
            found = await self._refresh_tokens.authorize({"refresh_token": text}, client, None)
        except ServiceError as error:
            if error.kind is not Kind.INVALID_GRANT:
                raise
            raise ASSERTION_REFUSED.error(compared=error.compared, **error.private) from error
        grant = found.grant
        return _Subject(grant.user_id, grant.auth_time, grant.acr, grant.amr, found.version)

    async def _of_id_token(self, text: str, client_id: str) -> _Subject:
        found = self._dependencies.id_tokens.read(text, client_id)
        if isinstance(found, Unusable):
            raise _refused(found, client=client_id)
        ended = await self._dependencies.grants.access_ended(found.user_id, client_id)
        if found.issued <= ended:
            raise _refused(Unusable(Hint.EXPIRED, wanted="access that was not ended since"), client=client_id)
        live = await self._dependencies.bus.call(LIST_SESSIONS, ListSessions(user_id=found.user_id))
        if all(one.session_id != found.session_id for one in live.sessions):
            raise _refused(Unusable(Hint.EXPIRED, wanted="a session that has not ended"), client=client_id)
        return _Subject(found.user_id, found.auth_time, found.acr, found.amr)


def _refused(unusable: Unusable, **private: Any) -> ServiceError:
    compared = Compared("grant", unusable.given, (unusable.wanted,), unusable.hint)
    return ASSERTION_REFUSED.error(compared=compared, **private)


def _refused_by_rule(answer: AssertionRequested, ask: RequestAssertion) -> ServiceError:
    """The failed condition is named in the diagnostics; what the visitor of the endpoint sees is the same for several."""
    wanted = answer.wanted[:MOST_WANTED]
    match answer.refusal:
        case AssertionRefusal.SCOPE:
            given = shown_length(" ".join(ask.scope or ()))
            return ASSERTION_SCOPE.error(compared=Compared("scope", given, wanted, Hint.NOT_ALLOWED))
        case AssertionRefusal.RESOURCE:
            given = " ".join(map(shown_uri, ask.resources))
            compared = Compared("resource", given, wanted, Hint.NOT_ALLOWED)
            return ASSERTION_TARGET.error(client=ask.client_id, compared=compared)
        case AssertionRefusal.USER:
            compared = Compared("grant", "", wanted or ("an active user",), Hint.NOT_ALLOWED)
            return ASSERTION_REFUSED.error(user=ask.user_id, compared=compared)
        case _:
            compared = Compared("grant", shown_uri(ask.audience), wanted, Hint.UNKNOWN)
            return ASSERTION_TARGET.error(client=ask.client_id, compared=compared)
