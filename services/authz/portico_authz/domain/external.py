"""Sign-ins through other identity providers: the flow to one, what came back, and an identity that waits for its account."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from portico_contracts.login import StepName
from portico_contracts.users import ProviderKind, VerifiedIdentity
from portico_oauth.opaque import b64url

FLOW_SECONDS: Final = 600
"""How long the person may be at the provider."""

PARKED_SECONDS: Final = 60
"""How long what came without a cookie waits for the browser's next request."""


@dataclass(frozen=True, slots=True)
class ProviderOrigin:
    """Where an identity comes from.

    Attributes:
        org_id: whose sign-in rules hold; empty for the instance's.
        provider_name: to be shown.
    """

    provider_id: str
    provider_name: str
    org_id: str


@dataclass(frozen=True, slots=True)
class ExternalFlow:
    """One way to a provider and back: good once, for one browser and one authorization request.

    Attributes:
        browser_id: the only browser that may come back.
        org_id: whose sign-in rules held when it began; empty for the instance's.
        redirect_uri: the callback address of the provider (RFC 9700 §4.4: one for each).
        nonce, verifier: of this flow (OpenID Connect Core §3.1.2.1, RFC 7636).
        jwt_header: of a JWT provider: the header its JWT comes in, in lower case.
        form_post: the provider answers by a cross-site POST.
    """

    request_id: str
    browser_id: str
    provider_id: str
    provider_name: str
    kind: ProviderKind
    org_id: str
    redirect_uri: str
    nonce: str = field(repr=False)
    verifier: str = field(repr=False)
    jwt_header: str = ""
    form_post: bool = False

    @property
    def origin(self) -> ProviderOrigin:
        """Where its identity comes from."""
        return ProviderOrigin(self.provider_id, self.provider_name, self.org_id)

    @property
    def user_agent(self) -> str:
        """The ``userAgentID`` of a JWT provider."""
        return user_agent_of(self.browser_id, self.provider_id)


def user_agent_of(browser_id: str, provider_id: str) -> str:
    """Names a browser at one provider, always the same, without revealing its id: a MAC under that id (decision 5.14)."""
    return b64url(hmac.digest(browser_id.encode(), f"userAgentID:{provider_id}".encode(), "sha256"))


class Mismatch(StrEnum):
    """Why a flow is not given to a caller; it stays as it is."""

    BROWSER = "browser"
    PROVIDER = "provider"


@dataclass(frozen=True, slots=True)
class ParkedReturn:
    """What came back by a request that carries no cookie; the browser's next one names it by a handle, once.

    Attributes:
        parameters: of the callback, with the ``state``.
        jwt: of a JWT provider.
    """

    state: str = field(repr=False)
    provider_id: str
    parameters: dict[str, str] = field(repr=False)
    jwt: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class PendingIdentity:
    """A verified identity that belongs to no account yet. No browser gets it.

    Attributes:
        org_id: whose sign-in rules hold.
        provider_name: to be shown.
        step: the page that is open: details to complete, or no account here; None while an account is proven.
        user_id: the only user that may be proven; empty for any.
        may_link: the person may sign in to an account and link it.
        may_create: an account may be made.
        missing: details an account needs that the provider does not give.
    """

    identity: VerifiedIdentity = field(repr=False)
    org_id: str
    provider_name: str
    step: StepName | None = None
    user_id: str = ""
    may_link: bool = False
    may_create: bool = False
    missing: tuple[str, ...] = ()
