from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from portico_contracts.step_names import StepName
from portico_contracts.users import ProviderKind, VerifiedIdentity
from portico_oauth.opaque import b64url

FLOW_SECONDS: Final = 600
"""Maximum duration of a visit to the provider."""

PARKED_SECONDS: Final = 60
"""How long a callback without a cookie waits for the browser's next request."""


@dataclass(frozen=True, slots=True)
class ProviderOrigin:
    """`org_id` is the organization whose login policy applies, empty for the instance's."""

    provider_id: str
    provider_name: str
    org_id: str


@dataclass(frozen=True, slots=True)
class ExternalFlow:
    """One flow to a provider: valid once, for one browser and one authorization request.

    `org_id` is as in `ProviderOrigin`, at the start; `redirect_uri` is the provider's own (RFC 9700 section 4.4).
    `client_address` is the hash of the IP address that it counts for.
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
    client_address: str = ""

    @property
    def origin(self) -> ProviderOrigin:
        return ProviderOrigin(self.provider_id, self.provider_name, self.org_id)

    @property
    def user_agent(self) -> str:
        return user_agent_of(self.browser_id, self.provider_id)


def user_agent_of(browser_id: str, provider_id: str) -> str:
    """Returns a MAC that identifies a browser at one provider without revealing its id (decision 0047)."""
    return b64url(hmac.digest(browser_id.encode(), f"userAgentID:{provider_id}".encode(), "sha256"))


class Mismatch(StrEnum):
    BROWSER = "browser"
    PROVIDER = "provider"


@dataclass(frozen=True, slots=True)
class ParkedReturn:
    """A callback by a request without a cookie; the browser's next request names it by a handle, once."""

    state: str = field(repr=False)
    provider_id: str
    parameters: dict[str, str] = field(repr=False)
    jwt: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class PendingIdentity:
    """A verified identity without an account. It is never sent to a browser.

    `step` is the open page, None while an account is proven; `user_id` is the only user that may be proven,
    empty for any.
    """

    identity: VerifiedIdentity = field(repr=False)
    org_id: str
    provider_name: str
    step: StepName | None = None
    user_id: str = ""
    may_link: bool = False
    may_create: bool = False
    missing: tuple[str, ...] = ()
