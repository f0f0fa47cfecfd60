"""What a grant type gives, from which tokens are issued: one class for each way in which they are stored."""

from __future__ import annotations

import msgspec
from portico_contracts.users import Client, HookFailure, User

from portico_token.domain.grants import Grant, RefreshToken


class AccessTokenSpec(msgspec.Struct, frozen=True, kw_only=True):
    """What the access token contains.

    Attributes:
        role_projects: projects whose roles it may have. The groups are those of the client's project.
        for_resources: whether its scope is narrowed to APIs, so that userinfo does not serve the claims of the scope.
        seconds: requested lifetime, where it is shorter than the allowed one.
    """

    audience: tuple[str, ...]
    scope: tuple[str, ...]
    role_projects: tuple[str, ...]
    for_resources: bool = False
    seconds: int | None = None


class IdTokenSpec(msgspec.Struct, frozen=True, kw_only=True):
    """What an id_token contains, where one is issued; the scope is everything that was granted."""

    scope: tuple[str, ...]
    nonce: str = ""


class _Result(msgspec.Struct, frozen=True, kw_only=True):
    """What all results have.

    Attributes:
        client: to which the tokens are issued, in the organization that accepted its document.
        version: of the user, where it was read with the grant.
        left_out: words of the scope that the client may not have.
        hook_failure: why its token hook gave nothing; None where it did, or was not called.
    """

    grant: Grant
    client: Client
    access_token: AccessTokenSpec
    id_token: IdTokenSpec
    version: str | None = None
    left_out: tuple[str, ...] = ()
    hook_failure: HookFailure | None = None


class NewGrant(_Result, frozen=True, kw_only=True):
    """The grant is stored with its first tokens."""

    refreshable: bool = False


class RefreshedGrant(_Result, frozen=True, kw_only=True):
    """A new refresh token replaces the presented one.

    Attributes:
        presented: fingerprint of the presented refresh token.
        current: of the grant when it was read; it may have changed since.
        grace: in seconds.
        changes_grant: the record of the grant is stored again.
    """

    presented: str
    current: RefreshToken
    grace: int
    changes_grant: bool = False


class ExchangedToken(_Result, frozen=True, kw_only=True):
    """The token is added to the live grant of the exchanged one.

    Attributes:
        subject: fingerprint of the exchanged token.
        subject_expires: its expiry in unix seconds.
        began: unix seconds, before anything was checked.
        of_agent: the application of the sign-in is an agent.
    """

    subject: str
    subject_expires: int
    began: float
    of_agent: bool = False


class ServiceUserGrant(_Result, frozen=True, kw_only=True):
    """Stored like a new grant, or without an id not at all: the JWT is stateless."""

    user: User


class IdentityAssertion(msgspec.Struct, frozen=True, kw_only=True):
    """What an assertion for an outside authorization server states: no token of ours, and nothing is stored.

    Attributes:
        audience: the issuer of the server.
        client_id: of the application at the server.
        email: verified, where the rule allows it; otherwise empty.
        left_out: words of the requested scope that the rule does not have.
    """

    client: Client
    user_id: str
    audience: str
    client_id: str
    resources: tuple[str, ...]
    scope: tuple[str, ...]
    auth_time: int
    acr: str
    amr: tuple[str, ...]
    email: str = ""
    left_out: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Omits the address."""
        return f"IdentityAssertion(user_id={self.user_id!r}, audience={self.audience!r})"


GrantResult = NewGrant | RefreshedGrant | ExchangedToken | ServiceUserGrant
