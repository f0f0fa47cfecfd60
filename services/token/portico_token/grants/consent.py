"""Consent at the token endpoint: a user may have withdrawn it since the sign-in."""

from __future__ import annotations

from collections.abc import Iterable

from portico_contracts.users import Api, Client, Consent, scopes_to_allow, targets_of
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError

from portico_token.cached_users import CachedUsers
from portico_token.grants.protocol import GrantDependencies

CONSENT_WITHDRAWN = ErrorCode(
    "TOKEN-290",
    Kind.INVALID_GRANT,
    "The user no longer allows the application this access.",
    "Start a new authorization request, so that the user can allow it again.",
)


async def require_consent(
    dependencies: GrantDependencies,
    client: Client,
    user_id: str,
    scope: tuple[str, ...],
    resources: tuple[str, ...],
    version: str | None = None,
) -> None:
    """Raises TOKEN-290 if the application requires consent, and the user does not allow all of this.

    A scope that another API has by now is not allowed there (decision 0110).
    """
    if client.consent is Consent.NONE:
        return
    users_client = dependencies.users_client
    targets = targets_of(resources, await users_client.all_apis_of(client)) if resources else ()
    apis = tuple(target.api for target in targets) if resources else await users_client.apis_of(scope, client)
    allowed = await dependencies.users.allowed_to(user_id, client.client_id, version)
    if not allowed.issuperset(scopes_to_allow(scope, apis, targets)):
        raise consent_withdrawn(user_id)


def consent_withdrawn(user_id: str) -> ServiceError:
    return CONSENT_WITHDRAWN.error(user=user_id, compared=Compared("grant"))


async def allowed_words(
    users: CachedUsers, client: Client, user_id: str, scope: Iterable[str], apis: tuple[Api, ...], version: str | None
) -> tuple[str, ...]:
    """The words that the user allows an application at every one of the APIs that defines them."""
    if client.consent is Consent.NONE:
        return tuple(scope)
    allowed = await users.allowed_to(user_id, client.client_id, version)
    return tuple(word for word in scope if allowed.issuperset(scopes_to_allow((word,), apis)))
