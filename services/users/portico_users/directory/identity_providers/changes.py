"""Changes of identity providers, as entries for the journal."""

from __future__ import annotations

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.directory.identity_providers.idp import Idp, JwtConfig, OidcConfig
from portico_users.directory.identity_providers.rules import Allowed, problems_of
from portico_users.directory.identity_providers.secrets import SecretSealer
from portico_users.directory.identity_providers.store import IDPS
from portico_users.kernel.entry import Entry
from portico_users.kernel.problems import refuse_first
from portico_users.kernel.records import State

IDP_NOT_FOUND = ErrorCode(
    "USER-318", Kind.NOT_FOUND, "There is no such identity provider.", "Check the id of the identity provider."
)
OTHER_KIND = ErrorCode(
    "USER-607",
    Kind.FAILED_PRECONDITION,
    "This identity provider is of another kind.",
    "Change it at the path of its own kind.",
)
SECRET_NEEDED = ErrorCode(
    "USER-608",
    Kind.INVALID_REQUEST,
    "Another issuer needs the client secret again.",
    "Send the secret that this issuer gave you.",
)


def put_idp(before: Idp | None, after: Idp, allowed: Allowed, *, path: str = "") -> Entry[Idp]:
    """Creates an identity provider, or changes one.

    Raises:
        ServiceError: what `problems_of` finds, naming ``path``.
    """
    refuse_first(problems_of(after, allowed), path)
    return Entry(IDPS, before, after)


def with_secret(idp: Idp, secret: str, sealer: SecretSealer) -> Idp:
    """The identity provider with a client secret; an empty one keeps what is stored.

    Raises:
        ServiceError: USER-606 where secrets cannot be kept.
    """
    if not secret:
        return idp
    return msgspec.structs.replace(idp, sealed_secret=sealer.seal(secret, idp.id, idp.config.issuer))


def with_jwt_config(before: Idp, config: JwtConfig) -> Idp:
    """The JWT identity provider with all four fields replaced; USER-607 for another kind."""
    if not isinstance(before.config, JwtConfig):
        raise OTHER_KIND.error()
    return msgspec.structs.replace(before, config=config)


def with_oidc_config(before: Idp, config: OidcConfig, secret: str, sealer: SecretSealer) -> Idp:
    """The OpenID Connect provider with everything replaced, and the secret too where one is given.

    Raises:
        ServiceError: USER-607 for another kind, USER-608 when the stored secret would go to another issuer (MG-18).
    """
    if not isinstance(before.config, OidcConfig):
        raise OTHER_KIND.error()
    if not secret and before.sealed_secret and config.issuer != before.config.issuer:
        raise SECRET_NEEDED.error()
    return with_secret(msgspec.structs.replace(before, config=config), secret, sealer)


def remove_idp(before: Idp) -> Entry[Idp]:
    """Removes: the id is never used again, and the secret is gone."""
    return Entry(IDPS, before, msgspec.structs.replace(before, state=State.DELETED, sealed_secret=""))
