"""What users answers about sign-ins through other identity providers.

authz holds the flow (state, nonce, PKCE verifier, browser) and the identity that was verified; users alone holds the
providers' secrets, asks them, verifies what came, and knows whom an identity is linked to. An identity is a provider and
a subject there (IP-06); an email address alone never signs a user in.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from portico_contracts.subjects import Message, Rpc, Secret
from portico_contracts.users.people import User

EXTERNAL_SECONDS: Final = 12.0
"""How long a provider may take: discovery, exchange, keys and claims, each at most 5 s, within one deadline."""


class ProviderKind(StrEnum):
    """How the browser gets to a provider, and what comes back.

    Attributes:
        JWT: the browser goes to the provider's endpoint with ``authRequestID`` and ``userAgentID``; a proxy sends it back
            with a JWT in a header.
        CODE: the browser goes to an authorization endpoint and comes back with a code (OpenID Connect, OAuth 2).
        LDAP: the browser stays; login name and password are entered here, and users checks them in the directory.
    """

    JWT = "jwt"
    CODE = "code"
    LDAP = "ldap"


class OfferedProvider(Message, frozen=True):
    """A provider people can sign in with, as the sign-in page shows it.

    Attributes:
        styling: the preset's name (``google``, ``github``, …), for its look; ``generic`` without one.
    """

    id: str
    name: str
    kind: ProviderKind
    styling: str = "generic"


class BeginExternal(Message, frozen=True):
    """Asks where the browser must go, for a provider of the organization, or of the instance, that is offered there.

    Attributes:
        org_id: whose sign-in rules hold; empty for the instance's.
        redirect_uri: the one callback address of this provider.
        state, nonce: of this flow.
        code_challenge: S256 (RFC 7636).
        login_hint: forwarded.
        prompt: words to forward, separated by spaces: ``login``, ``select_account``; empty for none.
        max_age: to forward; None for none.
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
    """Where to send the browser.

    Attributes:
        form_post: the provider answers by a cross-site POST (``response_mode=form_post``).
        jwt_header: with `ProviderKind.JWT`: the header the JWT comes back in, in lower case.
    """

    url: str
    provider: OfferedProvider
    form_post: bool = False
    jwt_header: str = ""


class FinishExternal(Message, frozen=True):
    """Verifies what came back. The flow was claimed by authz before: this is asked once for each.

    Attributes:
        org_id, redirect_uri, nonce: as in `BeginExternal`.
        code_verifier: of that challenge.
        parameters: of the callback, as they came (``code``, ``iss``, ``error``, ``user`` …); none with a JWT.
        jwt: with `ProviderKind.JWT`.
        user_agent: with `ProviderKind.JWT`, as in `BeginExternal`: a JWT that was used before is accepted again from the
            same browser only; empty for from none.
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
    """What the provider states of a person, mapped and cut to what an account may have; empty where it states nothing."""

    user_name: str = ""
    first_name: str = ""
    last_name: str = ""
    display_name: str = ""
    email: str = ""
    email_verified: bool = False
    language: str = ""
    picture: str = ""


class VerifiedIdentity(Message, frozen=True):
    """An identity that was verified; stays in authz's authorization request and never travels through a browser.

    Attributes:
        version: of the provider's record; another one at linking means that it changed in between.
        verified_at: seconds since the epoch; good for 10 minutes.
        amr: what the provider's table maps to (RFC 8176); only of a provider marked for it.
        groups: those of the provider's table that it is in.
        metadata: what the provider's table stores of its claims, by key.
        auth_time: unix seconds at which the person authenticated, as the provider states it, and never in the future; 0 where
            it does not state it.
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
    """What follows for a verified identity.

    Attributes:
        SIGNED_IN: it is linked to an active user.
        PROVE: an account is offered; its owner proves that it is theirs, then it is linked.
        COMPLETE: an account may be made, after the person has seen and completed the details.
        NO_ACCOUNT: no account here, and none may be made or linked.
    """

    SIGNED_IN = "signed_in"
    PROVE = "prove"
    COMPLETE = "complete"
    NO_ACCOUNT = "no_account"


class ExternalFinished(Message, frozen=True):
    """What the provider's answer comes to.

    Attributes:
        user: with `SIGNED_IN` the user it is linked to (made or updated in this very call, where the provider's options
            permit it); with `PROVE` the one whose owner must prove it.
        may_link: with `COMPLETE` and `NO_ACCOUNT`: a person with an account may sign in to it and link this identity.
        missing: with `COMPLETE`: names of `Profile`'s fields an account needs and the provider does not give.
        may_create: with `PROVE`: an account of its own may be made instead.
    """

    identity: VerifiedIdentity
    onward: Onward
    user: User | None = None
    may_link: bool = False
    may_create: bool = False
    missing: tuple[str, ...] = ()


class VerifyLdap(Message, frozen=True):
    """Checks a login name and its password in the directory of a provider of the kind `ProviderKind.LDAP`.

    Attributes:
        org_id: whose sign-in rules hold; empty for the instance's.
    """

    provider_id: str
    org_id: str
    login_name: str
    password: Secret


class LdapVerified(Message, frozen=True):
    """What follows for the identity; nothing for a wrong password and for an unknown login name."""

    finished: ExternalFinished | None = None


class LinkExternal(Message, frozen=True):
    """Links an identity to the user who has just proven the account; the same link again is the same answer."""

    identity: VerifiedIdentity
    org_id: str
    user_id: str


class CreateExternal(Message, frozen=True):
    """Makes an account for an identity, with the details the person completed; the same again is the same account.

    Attributes:
        profile: what the person entered or left as it was; an address other than the provider's is not verified.
    """

    identity: VerifiedIdentity
    org_id: str
    profile: Profile


class ExternalLinked(Message, frozen=True):
    """The user the identity is linked to now."""

    user: User


BEGIN_EXTERNAL = Rpc("users.v1.external.begin", BeginExternal, ExternalBegun, ("authz",), EXTERNAL_SECONDS)
FINISH_EXTERNAL = Rpc("users.v1.external.finish", FinishExternal, ExternalFinished, ("authz",), EXTERNAL_SECONDS)
VERIFY_LDAP = Rpc("users.v1.external.ldap", VerifyLdap, LdapVerified, ("authz",), EXTERNAL_SECONDS)
LINK_EXTERNAL = Rpc("users.v1.external.link", LinkExternal, ExternalLinked, ("authz",))
CREATE_EXTERNAL = Rpc("users.v1.external.create", CreateExternal, ExternalLinked, ("authz",))
