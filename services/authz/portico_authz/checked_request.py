"""An authorization request and what its checks have found.

It passes through the checks as one object, whose type states how far it got: each stage adds the fields that its checks
set. A check names the stage that it belongs to, so that mypy refuses to read what a later stage finds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from portico_contracts.console import OWN_APPLICATIONS
from portico_contracts.users import Api, ApiScope, Client, Place, Target, scopes_to_allow
from portico_oauth.assurance import ACR_PASSWORD, level_of
from portico_oauth.response_types import ResponseType
from portico_web.return_address import ReturnAddress

from portico_authz.domain.device import DeviceRequest
from portico_authz.domain.ports import PushedRequests
from portico_authz.domain.prompt import Prompt
from portico_authz.domain.request_parameters import RequestParameters
from portico_authz.users_client import UsersClient


class UserAgent(NamedTuple):
    """The browser; `device` is from a closed list, `client_address` a fingerprint for rate limiting.

    `country` is an ISO 3166-1 code, empty if unknown. `address` is never stored.
    """

    handle: str = ""
    languages: tuple[str, ...] = ()
    device: str = ""
    client_address: str = ""
    country: str = ""
    address: str = ""

    @property
    def place(self) -> Place:
        return Place(self.address, self.country)


UNKNOWN_AGENT: Final = UserAgent()


def app_org_of(client: Client) -> str:
    """The organization whose rules and branding the application has; empty (the instance) for Portico's own."""
    return "" if client.project_id == OWN_APPLICATIONS else client.org_id


@dataclass(frozen=True, slots=True)
class CheckSources:
    """What checks read besides the request. `zitadel_names`: scopes of ZITADEL are read like Portico's."""

    issuer: str
    users_client: UsersClient
    pushed_requests: PushedRequests
    zitadel_names: bool = False


class Pushed(NamedTuple):
    """The pushed request that the parameters come from, or are stored as (RFC 9126).

    `claimant` claimed its response before in this browser, or is empty.
    """

    id: str
    claimant: str = ""


class RequestedScope(NamedTuple):
    """The words of a scope, and what the application gets of them.

    `org_id` and `provider` are those that it names. `apis` may get scopes: those of the resources, without any all that
    the client may use.
    """

    words: tuple[str, ...]
    granted: tuple[str, ...]
    org_id: str = ""
    provider: str = ""
    apis: tuple[Api, ...] = ()


class RequestedAcr(NamedTuple):
    """`level` is `portico_oauth.assurance.level_of`, 0 for any; if `essential`, a weaker authentication fails."""

    words: tuple[str, ...] = ()
    level: int = 0
    essential: bool = False


class RequestedClaims(NamedTuple):
    """`text` is JSON, `scopes` are those that contain the claims."""

    text: str = ""
    scopes: tuple[str, ...] = ()


ANY_ACR: Final = RequestedAcr()
NO_CLAIMS: Final = RequestedClaims()


@dataclass(slots=True)
class SentRequest:
    """A request before its checks, created as a `CheckedRequest`; `run_checks` returns it as that.

    Only with `address` an error is redirected to the application (AZ-09). `device` gets the response instead.
    `subject` is the only accepted user, if any. `reached` is the current or last check, empty before the first and
    after all passed.
    """

    sources: CheckSources
    parameters: RequestParameters
    user_agent: UserAgent = UNKNOWN_AGENT
    pushed: Pushed | None = None
    device: DeviceRequest | None = None
    subject: str = ""
    address: ReturnAddress | None = None
    reached: str = ""
    passed: tuple[str, ...] = ()

    @property
    def verified_address(self) -> ReturnAddress:
        if self.address is None:
            raise LookupError("the redirect URI is not verified yet")
        return self.address


@dataclass(slots=True)
class ClientRequest(SentRequest):
    """A request whose application is known."""

    client: Client = field(init=False)


@dataclass(slots=True)
class ResponseRequest(ClientRequest):
    """A request whose kind of response is known."""

    response_type: ResponseType = field(init=False)


@dataclass(slots=True)
class ScopedRequest(ResponseRequest):
    """A request whose resources and scope are known."""

    targets: tuple[Target, ...] = ()
    scope: RequestedScope = field(init=False)

    @property
    def resources(self) -> tuple[str, ...]:
        return tuple([target.resource for target in self.targets])


@dataclass(slots=True)
class CheckedRequest(ScopedRequest):
    """A request that passed all checks; reading a field before the check that sets it is an AttributeError."""

    nonce: str = field(init=False)
    code_challenge: str = field(init=False)
    prompts: frozenset[Prompt] = field(init=False)
    max_age: int | None = field(init=False)
    login_hint: str = field(init=False)
    ui_locales: tuple[str, ...] = field(init=False)
    acr: RequestedAcr = ANY_ACR
    claims: RequestedClaims = NO_CLAIMS
    dpop_jkt: str = ""

    @property
    def to_be_allowed(self) -> tuple[ApiScope, ...]:
        """What the user allows: scopes, also for single claims, at each API that they reach, and resources."""
        return scopes_to_allow((*self.scope.granted, *self.claims.scopes), self.scope.apis, self.targets)

    @property
    def accepts_trust(self) -> bool:
        """Reports whether a trusted device may replace the second factor: the application demands nothing of the
        sign-in.
        """
        demands = self.max_age is not None or Prompt.LOGIN in self.prompts
        return not demands and max(self.acr.level, self.minimum_level) <= level_of(ACR_PASSWORD)

    @property
    def minimum_level(self) -> int:
        """The level of the weakest sign-in that the application accepts; 0 for any."""
        return level_of(self.client.minimum_acr)

    @property
    def demands_factor(self) -> bool:
        """Reports whether the application accepts no user without a second factor, whatever their organization requires."""
        return self.minimum_level > level_of(ACR_PASSWORD)


def in_checks(sent: SentRequest) -> CheckedRequest:
    """The same object, for the checks and for diagnostics: only what the passed checks have set may be read."""
    if not isinstance(sent, CheckedRequest):
        raise TypeError("a request is created as a CheckedRequest")
    return sent
