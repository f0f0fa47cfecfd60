"""The service user."""

from __future__ import annotations

from portico_contracts.users import AccessTokenType

from portico_users.directory.client_keys.assertion_keys import AssertionKey
from portico_users.directory.client_keys.client_secrets import PreviousSecret
from portico_users.directory.grants.role_grants import RoleGrant
from portico_users.directory.service_users.personal_access_tokens import PersonalToken
from portico_users.kernel.records import Record


class ServiceUser(Record, frozen=True, kw_only=True, tag_field="type", tag="machine"):
    """A user that is a program.

    Attributes:
        access_token_alg: what tokens issued to it are signed with, where they are JWTs.
        secret_hash: `portico_oauth.opaque.fingerprint` of its secret; empty without one.
        previous_secret: the one before, which may still be good; None without.
        keys: what its assertions are signed with.
        personal_tokens: what it calls Portico's own API with.
    """

    user_name: str
    name: str
    description: str = ""
    access_token_type: AccessTokenType = AccessTokenType.OPAQUE
    access_token_alg: str = "RS256"
    secret_hash: str = ""
    previous_secret: PreviousSecret | None = None
    keys: tuple[AssertionKey, ...] = ()
    personal_tokens: tuple[PersonalToken, ...] = ()
    grants: tuple[RoleGrant, ...] = ()
