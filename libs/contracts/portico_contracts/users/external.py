"""Messages for sign-ins through other identity providers.

authz stores the flow (state, nonce, PKCE verifier, browser) and the verified identity. Only users stores the
providers' secrets, sends requests to them, verifies responses, and resolves the linked account. An identity
is a provider and a subject (IP-06); an email address alone never signs a user in.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.people import User

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
    """Starts a sign-in with a provider that the organization or the instance offers.

    Attributes:
        org_id: the organization whose login policy applies; empty for the instance's.
        redirect_uri: the callback of this provider.
        state, nonce: of this flow.
        code_challenge: S256 (RFC 7636).
        login_hint: forwarded.
        prompt: space-separated values to forward: ``login``, ``select_account``; empty for none.
        max_age: forwarded; None for none.
        auth_request, user_agent: with `ProviderKind.JWT`: values of ``authRequestID`` and ``userAgentID``.
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
    """The URL to redirect the browser to.

    `form_post`: the provider responds by a cross-site POST (``response_mode=form_post``). `jwt_header`: with
    `ProviderKind.JWT` the header of the JWT, in lower case.
    """

    url: str
    provider: OfferedProvider
    form_post: bool = False
    jwt_header: str = ""


class FinishExternal(Message, frozen=True):
    """Verifies a callback. authz has claimed the flow before, so this is called once per flow.

    Attributes:
        org_id, redirect_uri, nonce: as in `BeginExternal`.
        code_verifier: for the code challenge.
        parameters: of the callback (``code``, ``iss``, ``error``, ``user`` …); empty with a JWT.
        jwt: with `ProviderKind.JWT`.
        user_agent: with `ProviderKind.JWT`, as in `BeginExternal`: a JWT that was used before is accepted again
            only from the same browser; empty for none.
    """

    provider_id: str
    org_id: str
    redirect_uri: str
    nonce: Secret
    code_verifier: Secret = ""
    parameters: dict[str, Secret] = {}
    jwt: Secret = ""
    user_agent: str = ""


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
    """A verified identity; authz stores it in the authorization request, and it is never sent to a browser.

    Attributes:
        version: of the provider's configuration; a difference at linking means that it changed meanwhile.
        verified_at: unix seconds; valid for 10 minutes.
        amr: mapped values (RFC 8176); only from a provider trusted for them.
        groups: the configured groups that the user is in.
        metadata: claims to store as metadata, by key.
        auth_time: unix seconds of the authentication at the provider, never in the future; 0 if not stated.
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


class Onward(StrEnum):
    """The next action for a verified identity.

    Attributes:
        SIGNED_IN: it is linked to an active user.
        PROVE: an account matches; the user must authenticate to it before it is linked.
        COMPLETE: an account may be created after the user has reviewed and completed the profile.
        NO_ACCOUNT: there is no account, and none may be created or linked.
    """

    SIGNED_IN = "signed_in"
    PROVE = "prove"
    COMPLETE = "complete"
    NO_ACCOUNT = "no_account"


class ExternalFinished(Message, frozen=True):
    """The result of a callback.

    Attributes:
        user: with `SIGNED_IN` the linked user (created or updated in this call, where the provider's options
            permit it); with `PROVE` the matching user.
        may_link: with `COMPLETE` and `NO_ACCOUNT`: the user may sign in to an existing account and link it.
        missing: with `COMPLETE`: names of required `Profile` fields without a value.
        may_create: with `PROVE`: a new account may be created instead.
    """

    identity: VerifiedIdentity
    onward: Onward
    user: User | None = None
    may_link: bool = False
    may_create: bool = False
    missing: tuple[str, ...] = ()


class VerifyLdap(Message, frozen=True):
    """Verifies a login name and password at the LDAP server of a provider with `ProviderKind.LDAP`.

    `org_id` is the organization whose login policy applies; empty for the instance's.
    """

    provider_id: str
    org_id: str
    login_name: str
    password: Secret


class LdapVerified(Message, frozen=True):
    """The next action for the identity; None for a wrong password and for an unknown login name."""

    finished: ExternalFinished | None = None


class LinkExternal(Message, frozen=True):
    """Links an identity to the user who has just authenticated; idempotent."""

    identity: VerifiedIdentity
    org_id: str
    user_id: str


class CreateExternal(Message, frozen=True):
    """Creates an account for an identity with the completed profile; idempotent.

    An email address in `profile` that differs from the provider's is not verified.
    """

    identity: VerifiedIdentity
    org_id: str
    profile: Profile


class ExternalLinked(Message, frozen=True):
    """The user that the identity is linked to."""

    user: User


BEGIN_EXTERNAL = Rpc("users.v1.external.begin", BeginExternal, ExternalBegun, ("authz",), EXTERNAL_SECONDS)
FINISH_EXTERNAL = Rpc("users.v1.external.finish", FinishExternal, ExternalFinished, ("authz",), EXTERNAL_SECONDS)
VERIFY_LDAP = Rpc("users.v1.external.ldap", VerifyLdap, LdapVerified, ("authz",), EXTERNAL_SECONDS)
LINK_EXTERNAL = Rpc("users.v1.external.link", LinkExternal, ExternalLinked, ("authz",))
CREATE_EXTERNAL = Rpc("users.v1.external.create", CreateExternal, ExternalLinked, ("authz",))
