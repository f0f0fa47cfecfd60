"""Token exchange (RFC 8693): a service gets a token for the next one, with at most the rights of its caller's token.

The subject token must be for the calling client, and the new token is added to its grant, so that whatever
ends that grant ends both. With the id of a user as subject, `acting` issues a token for an actor. A parameter
or type that is not supported is refused: a request that names an actor, for example, must not get a token
without one (decision 0096).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from portico_contracts.diagnostics import Hint
from portico_contracts.users import AuthMethod, Client
from portico_oauth import grant_types
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError
from portico_oauth.parameters import RESOURCE
from portico_oauth.token_types import ACCESS_TOKEN, ID_JAG, USER_ID
from portico_runtime.diagnostics.shown import shown_length

from portico_token.active_tokens import ActiveToken
from portico_token.domain.audience import projects_of_audience
from portico_token.domain.clients import AuthenticatedClient
from portico_token.domain.grants import Grant
from portico_token.domain.origin import Origin
from portico_token.grants.acting import act_for_user
from portico_token.grants.consent import allowed_words
from portico_token.grants.exchange_target import ACCESS_DENIED_BY_PROJECT, Target, find_target, granted_scope
from portico_token.grants.identity_assertion import TYPES, IdentityAssertions
from portico_token.grants.permitted_scope import permitted_scope
from portico_token.grants.protocol import GrantDependencies, GrantType, IdTokenPolicy, ScopePolicy
from portico_token.grants.requested_resources import requested_resources
from portico_token.grants.results import AccessTokenSpec, ExchangedToken, IdentityAssertion, IdTokenSpec, NewGrant

NO_SUBJECT_TOKEN = ErrorCode(
    "TOKEN-275",
    Kind.INVALID_REQUEST,
    "The subject_token or the subject_token_type is missing.",
    "Send the access token in subject_token, and its type in subject_token_type.",
)
UNSUPPORTED_TOKEN_TYPE = ErrorCode(
    "TOKEN-276",
    Kind.INVALID_REQUEST,
    "Only access tokens can be exchanged and requested.",
    "Send urn:ietf:params:oauth:token-type:access_token, and omit requested_token_type or send the same. Only acting for"
    " a user has the subject_token_type urn:portico:params:oauth:token-type:user_id.",
)
UNSUPPORTED_PARAMETER = ErrorCode(
    "TOKEN-277",
    Kind.INVALID_REQUEST,
    "The token exchange has a parameter that is not supported.",
    "Omit parameters of other products, and actor_token and actor_token_type unless the subject_token is a user id.",
)
INVALID_SUBJECT_TOKEN = ErrorCode(
    "TOKEN-278",
    Kind.INVALID_REQUEST,
    "The subject_token is not active, or not for this client.",
    "Send an active access token that has the client id of this client in its audience.",
)
NO_TARGET = ErrorCode(
    "TOKEN-279",
    Kind.INVALID_REQUEST,
    "The token exchange names no audience and no resource.",
    "Send the client id or the project id in audience, or the resource of an API in resource.",
)
NOT_OF_A_SIGN_IN = ErrorCode(
    "TOKEN-283",
    Kind.INVALID_REQUEST,
    "The subject_token is of a service user.",
    "Request a token for the other API with the credentials of the service user. Only tokens of sign-ins can be exchanged.",
)

_REQUIRED: Final = ("subject_token", "subject_token_type")
_OF_ACTORS: Final = frozenset({"actor_token", "actor_token_type"})
_NOT_SUPPORTED: Final = frozenset(
    {"authorization_details", "expires_in", "requested_subject", "requested_issuer", "subject_issuer"}
)
"""Parameters that change the meaning of the request where they are supported (RFC 8693, RFC 9396, other products)."""


class TokenExchange(GrantType):
    """Exchanges an access token of a user for one that another API accepts."""

    grant_type: ClassVar[str] = grant_types.TOKEN_EXCHANGE
    parameters: ClassVar[frozenset[str]] = _NOT_SUPPORTED.union(
        _REQUIRED, _OF_ACTORS, ("requested_token_type", "audience", RESOURCE)
    )
    methods: ClassVar[frozenset[AuthMethod]] = frozenset(AuthMethod) - {AuthMethod.NONE}
    scope: ClassVar[ScopePolicy] = ScopePolicy.OPTIONAL
    id_token: ClassVar[IdTokenPolicy] = IdTokenPolicy.NEVER

    def __init__(self, dependencies: GrantDependencies) -> None:
        super().__init__(dependencies)
        self._identity_assertions = IdentityAssertions(dependencies)

    async def authorize(
        self, parameters: Mapping[str, str], client: AuthenticatedClient, scope: tuple[str, ...] | None
    ) -> ExchangedToken | NewGrant | IdentityAssertion:
        if parameters.get("requested_token_type") == ID_JAG and await self._is_assertion(parameters, client.client):
            return await self._identity_assertions.authorize(parameters, client, scope)
        _refuse_unsupported(parameters)
        caller, now = client.client, self._dependencies.clock.now()
        if parameters["subject_token_type"] == USER_ID:
            return await act_for_user(self._dependencies, parameters, caller, scope)
        audience, resources = parameters.get("audience"), requested_resources(parameters)
        subject = await self._subject(parameters["subject_token"], caller)
        if subject.grant is None or subject.origin is not Origin.SIGN_IN:
            raise NOT_OF_A_SIGN_IN.error(
                user=subject.user_id, compared=Compared("grant", wanted=("a token of a sign-in",))
            )
        target = await find_target(self._dependencies.users_client, caller, audience, resources)
        target = target.limited_to(subject.audience, is_narrowed=_is_narrowed(subject, subject.grant))
        if not await self._dependencies.users.has_project_access(subject.user_id, caller, subject.version):
            raise ACCESS_DENIED_BY_PROJECT.error(user=subject.user_id, compared=Compared("grant"))
        permitted = await permitted_scope(
            self._dependencies,
            subject.scope,
            caller,
            subject.user_id,
            subject.version,
            resources=(),
            roles_at=target.apis,
        )
        application = await self._application(subject.grant)
        words = await self._allowed(subject, (application, caller), permitted.words, target)
        granted = granted_scope(scope, permitted._replace(words=words), target)
        projects = projects_of_audience(target.audience, caller, permitted.audiences)
        return ExchangedToken(
            grant=subject.grant,
            client=caller,
            access_token=AccessTokenSpec(audience=target.audience, scope=granted, role_projects=projects),
            id_token=IdTokenSpec(scope=granted),
            version=subject.version,
            subject=subject.fingerprint,
            subject_expires=subject.expires,
            began=now,
            of_agent=application.agent,
        )

    async def _is_assertion(self, parameters: Mapping[str, str], client: Client) -> bool:
        """False where there are none, or the request is refused like others before anything is read."""
        has_all = all(name in parameters for name in _REQUIRED)
        if (
            not has_all
            or parameters["subject_token_type"] not in TYPES
            or not (_NOT_SUPPORTED | _OF_ACTORS).isdisjoint(parameters)
        ):
            return False
        return await self._identity_assertions.are_offered(client)

    async def _application(self, grant: Grant) -> Client:
        application = await self._dependencies.users_client.find_client_of(grant)
        if application is None:
            raise invalid_subject_token(client=grant.client_id)
        return application

    async def _allowed(
        self, subject: ActiveToken, clients: tuple[Client, Client], words: tuple[str, ...], target: Target
    ) -> tuple[str, ...]:
        """The words that the user allows at the APIs of the target (decision 0110).

        The application of the sign-in needs what the user allowed it, and so does an agent that exchanges its token
        (decision 0154).
        """
        application, caller = clients
        users = self._dependencies.users
        words = await allowed_words(users, application, subject.user_id, words, target.apis, subject.version)
        if not caller.agent or caller.client_id == application.client_id:
            return words
        return await allowed_words(users, caller, subject.user_id, words, target.apis, subject.version)

    async def _subject(self, text: str, caller: Client) -> ActiveToken:
        """Raises TOKEN-278 alike for an unknown token and for one that is not for the calling client."""
        subject = await self._dependencies.active_tokens.find(text)
        if subject is None or caller.client_id not in subject.audience:
            hint = Hint.OTHER_CLIENT if subject else Hint.UNKNOWN
            raise invalid_subject_token(hint, client=caller.client_id)
        return subject


def _is_narrowed(subject: ActiveToken, grant: Grant) -> bool:
    """Reports whether it is for resources: only then the application of the sign-in is not in the audience."""
    return not subject.is_exchanged and grant.client_id not in subject.audience


def invalid_subject_token(hint: str = "", **private: Any) -> ServiceError:
    """The error for a subject token that may not be exchanged; the hint is for diagnostics only."""
    wanted = ("an active access token for this client",)
    return INVALID_SUBJECT_TOKEN.error(compared=Compared("grant", wanted=wanted, hint=hint), **private)


def _refuse_unsupported(parameters: Mapping[str, str]) -> None:
    is_acting = parameters.get("subject_token_type") == USER_ID
    if others := sorted((_NOT_SUPPORTED if is_acting else _NOT_SUPPORTED | _OF_ACTORS).intersection(parameters)):
        compared = Compared("grant", " ".join(others))
        raise UNSUPPORTED_PARAMETER.error(names=others, compared=compared)
    if not all(name in parameters for name in _REQUIRED):
        raise NO_SUBJECT_TOKEN.error(compared=Compared("grant", hint=Hint.MISSING))
    for name in ("subject_token_type", "requested_token_type"):
        kind = parameters.get(name, ACCESS_TOKEN)
        if kind != ACCESS_TOKEN and not (is_acting and name == "subject_token_type"):
            compared = Compared("grant", shown_length(kind), (ACCESS_TOKEN,), Hint.UNKNOWN)
            raise UNSUPPORTED_TOKEN_TYPE.error(name=name, compared=compared)
    if "audience" not in parameters and RESOURCE not in parameters:
        raise NO_TARGET.error(compared=Compared("grant", hint=Hint.MISSING))
