"""Messages for sign-ins through other identity providers.

authz stores the flow (state, nonce, PKCE verifier, browser) and the verified identity. Only users stores the
providers' secrets, sends requests to them, verifies responses, and resolves the linked account. An identity
is a provider and a subject (IP-06); an email address alone never signs a user in.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.accounts import User

EXTERNAL_SECONDS: Final = 12.0
"""Timeout of a provider: discovery, exchange, keys and claims take at most 5 seconds each within it."""


class ProviderKind(StrEnum):
    """How the browser gets to a provider and back.

    Attributes:
        JWT: the browser is redirected to the provider's endpoint with ``authRequestID`` and ``userAgentID``; a
            proxy sends it back with a JWT in a header.
        CODE: the browser is redirected to an authorization endpoint and returns with a code (OpenID Connect,
            OAuth 2).
        LDAP: no redirect; login name and password are entered here, and users verifies them at the LDAP server.
    """

    JWT = "jwt"
    CODE = "code"
    LDAP = "ldap"


class OfferedProvider(Message, frozen=True):
    """A provider offered on the sign-in page.

    `styling` is the preset's name (``google``, ``github``, …), or ``generic``.
    """

    id: str
    name: str
    kind: ProviderKind
    styling: str = "generic"


class BeginExternal(Message, frozen=True):
    """Starts a sign-in with an offered provider; `org_id` is that of the login policy, empty for the instance's.

    In the messages below `org_id` restricts the sign-in to the accounts of its organization, unless
    `any_organization` is set. Then `home_id` is the organization of new accounts of a provider of the instance, empty
    for the default one; without it, as older replicas send it, they are created in `org_id`.
    """

    provider_id: str
    org_id: str
    redirect_uri: str
    state: Secret
    nonce: Secret
    code_challenge: str = ""
    login_hint: str = ""
    auth_request: str = ""
    user_agent: str = ""
    prompt: str = ""
    max_age: int | None = None


class ExternalBegun(Message, frozen=True):
    """The URL to redirect to; `form_post`: the provider responds by a cross-site POST."""

    url: str
    provider: OfferedProvider
    form_post: bool = False
    jwt_header: str = ""


class FinishExternal(Message, frozen=True):
    """Verifies a callback; authz has claimed the flow before, so this is called once per flow.

    A JWT that was used before is accepted again only with the same `user_agent`.
    """

    provider_id: str
    org_id: str
    redirect_uri: str
    nonce: Secret
    code_verifier: Secret = ""
    parameters: dict[str, Secret] = {}
    jwt: Secret = ""
    user_agent: str = ""
    any_organization: bool = False
    home_id: str | None = None


class Profile(Message, frozen=True):
    """The user's data from the provider, mapped and shortened to the limits of an account; absent values are empty."""

    user_name: str = ""
    first_name: str = ""
    last_name: str = ""
    display_name: str = ""
    email: str = ""
    email_verified: bool = False
    language: str = ""
    picture: str = ""


class VerifiedIdentity(Message, frozen=True):
    """A verified identity, stored in the authorization request and never sent to a browser; valid for 10 minutes.

    `version` is of the provider's configuration; a difference at linking means that it changed meanwhile.
    `amr` (RFC 8176) is only from a provider trusted for it. `auth_time` is unix seconds, never in the future,
    0 if not stated.
    """

    provider_id: str
    issuer: str
    subject: Secret
    profile: Profile = Profile()
    version: str = ""
    verified_at: int = 0
    amr: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    metadata: dict[str, str] = {}
    auth_time: int = 0


class ProviderRedirect(StrEnum):
    """The next action; `PROVE`: the user must authenticate to the matching account before it is linked."""

    SIGNED_IN = "signed_in"
    PROVE = "prove"
    COMPLETE = "complete"
    NO_ACCOUNT = "no_account"


class ExternalFinished(Message, frozen=True):
    """The result of a callback; `user` is the linked one with `SIGNED_IN`, the matching one with `PROVE`."""

    identity: VerifiedIdentity
    onward: ProviderRedirect
    user: User | None = None
    may_link: bool = False
    may_create: bool = False
    missing: tuple[str, ...] = ()


class VerifyLdap(Message, frozen=True):
    """Verifies a login name and password at the LDAP server of a provider; `org_id` is as in `BeginExternal`."""

    provider_id: str
    org_id: str
    login_name: str
    password: Secret
    any_organization: bool = False
    home_id: str | None = None


class LdapVerified(Message, frozen=True):
    """The next action for the identity; None for a wrong password and for an unknown login name."""

    finished: ExternalFinished | None = None


class LinkExternal(Message, frozen=True):
    """Links an identity to the user who has just authenticated; idempotent."""

    identity: VerifiedIdentity
    org_id: str
    user_id: str
    any_organization: bool = False


class CreateExternal(Message, frozen=True):
    """Creates an account for an identity; idempotent. An email address not from the provider is unverified."""

    identity: VerifiedIdentity
    org_id: str
    profile: Profile
    any_organization: bool = False
    home_id: str | None = None


class ExternalLinked(Message, frozen=True):
    """The user that the identity is linked to."""

    user: User


BEGIN_EXTERNAL = Rpc("users.v1.external.begin", BeginExternal, ExternalBegun, ("authz",), EXTERNAL_SECONDS)
FINISH_EXTERNAL = Rpc("users.v1.external.finish", FinishExternal, ExternalFinished, ("authz",), EXTERNAL_SECONDS)
VERIFY_LDAP = Rpc("users.v1.external.ldap", VerifyLdap, LdapVerified, ("authz",), EXTERNAL_SECONDS)
LINK_EXTERNAL = Rpc("users.v1.external.link", LinkExternal, ExternalLinked, ("authz",))
CREATE_EXTERNAL = Rpc("users.v1.external.create", CreateExternal, ExternalLinked, ("authz",))
