"""The state of an authorization request: each check reads the parameters and sets its fields."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from portico_contracts.console import OWN_APPLICATIONS
from portico_contracts.users import Api, ApiScope, Client, Target, scopes_to_allow
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

    `country` is an ISO 3166-1 code, empty if unknown.
    """

    handle: str = ""
    languages: tuple[str, ...] = ()
    device: str = ""
    client_address: str = ""
    country: str = ""


UNKNOWN_AGENT: Final = UserAgent()


def app_org_of(client: Client) -> str:
    """The organization whose rules and branding the application has; empty (the instance) for Portico's own."""
    return "" if client.project_id == OWN_APPLICATIONS else client.org_id


@dataclass(slots=True)
class Context:
    """One authorization request; reading a field before the check that sets it is an AttributeError.

    Only with `address` an error is redirected to the application (AZ-09). `claims` is JSON text,
    `scopes_of_claims` the scopes that contain them. `acr_level` is `portico_oauth.assurance.level_of`, 0 for
    any; with `acr_essential` a weaker authentication fails.
    `pushed` is the id of the pushed request that the parameters come from, or are stored as (RFC 9126);
    `pushed_claimant` is who claimed its response before in this browser, or empty.
    `reached` is the current or last check, empty before the first and after all passed.
    `device` gets the response instead of a redirect URI. `apis` may get scopes: those of the resources, without any
    all that the client may use.
    """

    issuer: str
    users_client: UsersClient
    parameters: RequestParameters
    user_agent: UserAgent = UNKNOWN_AGENT
    address: ReturnAddress | None = None
    pushed_requests: PushedRequests | None = None
    pushed: str = ""
    pushed_claimant: str = ""
    device: DeviceRequest | None = None
    zitadel_names: bool = False
    client: Client = field(init=False)
    response_type: ResponseType = field(init=False)
    requested_scope: tuple[str, ...] = field(init=False)
    scope: tuple[str, ...] = field(init=False)
    org_id: str = field(init=False)
    nonce: str = field(init=False)
    code_challenge: str = field(init=False)
    prompts: frozenset[Prompt] = field(init=False)
    max_age: int | None = field(init=False)
    targets: tuple[Target, ...] = ()
    apis: tuple[Api, ...] = ()
    provider: str = ""
    subject: str = ""
    login_hint: str = ""
    hinted_user: str = ""
    ui_locales: tuple[str, ...] = ()
    claims: str = ""
    scopes_of_claims: tuple[str, ...] = ()
    auth_time_requested: bool = False
    acr_requested: tuple[str, ...] = ()
    acr_level: int = 0
    acr_essential: bool = False
    reached: str = ""
    passed: tuple[str, ...] = ()

    @property
    def resources(self) -> tuple[str, ...]:
        return tuple([target.resource for target in self.targets])

    @property
    def to_be_allowed(self) -> tuple[ApiScope, ...]:
        """What the user allows: scopes, also for single claims, at each API that they reach, and resources."""
        return scopes_to_allow((*self.scope, *self.scopes_of_claims), self.apis, self.targets)

    @property
    def accepts_trust(self) -> bool:
        """Reports whether a trusted device may replace the second factor: the application demands nothing of the
        sign-in.
        """
        demands = self.max_age is not None or Prompt.LOGIN in self.prompts
        return not demands and self.acr_level <= level_of(ACR_PASSWORD)

    @property
    def verified_address(self) -> ReturnAddress:
        if self.address is None:
            raise LookupError("the redirect URI is not verified yet")
        return self.address
