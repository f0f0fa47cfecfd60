from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from portico_contracts.login import StepName
from portico_contracts.users import ProviderKind, VerifiedIdentity
from portico_oauth.opaque import b64url

FLOW_SECONDS: Final = 600
"""Maximum duration of a visit to the provider."""

PARKED_SECONDS: Final = 60
"""How long a callback without a cookie waits for the browser's next request."""


@dataclass(frozen=True, slots=True)
class ProviderOrigin:
    """The provider of an identity. `org_id` is the organization whose login policy applies, empty for the
    instance's; `provider_name` is for display.
    """

    provider_id: str
    provider_name: str
    org_id: str


@dataclass(frozen=True, slots=True)
class ExternalFlow:
    """One flow to a provider: valid once, for one browser and one authorization request.

    Attributes:
        browser_id: the only browser that may return.
        org_id: the organization whose login policy applied at the start; empty for the instance's.
        redirect_uri: the callback of the provider (RFC 9700 section 4.4: one per provider).
        nonce, verifier: of this flow (OpenID Connect Core section 3.1.2.1, RFC 7636).
        jwt_header: the header of a JWT provider, in lower case.
        form_post: the provider responds by a cross-site POST.
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
        return ProviderOrigin(self.provider_id, self.provider_name, self.org_id)

    @property
    def user_agent(self) -> str:
        return user_agent_of(self.browser_id, self.provider_id)


def user_agent_of(browser_id: str, provider_id: str) -> str:
    """Returns a stable identifier of a browser at one provider that does not reveal its id: a MAC under that id
    (decision 5.14).
    """
    return b64url(hmac.digest(browser_id.encode(), f"userAgentID:{provider_id}".encode(), "sha256"))


class Mismatch(StrEnum):
    BROWSER = "browser"
    PROVIDER = "provider"


@dataclass(frozen=True, slots=True)
class ParkedReturn:
    """A callback by a request without a cookie; the browser's next request names it by a handle, once.

    `parameters` include the ``state``; `jwt` is set for a JWT provider.
    """

    state: str = field(repr=False)
    provider_id: str
    parameters: dict[str, str] = field(repr=False)
    jwt: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class PendingIdentity:
    """A verified identity without an account. It is never sent to a browser.

    Attributes:
        org_id: the organization whose login policy applies.
        provider_name: for display.
        step: the open page: profile to complete, or no account; None while an account is proven.
        user_id: the only user that may be proven; empty for any.
        may_link: the user may sign in to an account and link it.
        may_create: an account may be created.
        missing: required profile fields without a value.
    """

    identity: VerifiedIdentity = field(repr=False)
    org_id: str
    provider_name: str
    step: StepName | None = None
    user_id: str = ""
    may_link: bool = False
    may_create: bool = False
    missing: tuple[str, ...] = ()
