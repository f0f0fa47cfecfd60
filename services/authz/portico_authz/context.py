"""What is known of an authorization request, stage by stage.

Each check reads the parameters and fills its fields; reading a field before its stage is an AttributeError.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from portico_contracts.users import Client
from portico_oauth.parameters import Parameters
from portico_oauth.response_types import ResponseType
from portico_web.return_address import ReturnAddress

from portico_authz.domain.ports import Directory
from portico_authz.domain.prompt import Prompt

KNOWN: Final = (
    *("client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce"),
    *("code_challenge", "code_challenge_method", "prompt", "max_age", "id_token_hint", "login_hint", "claims"),
    *("ui_locales", "claims_locales", "acr_values", "display", "request", "request_uri"),
)
"""The parameters that may not be repeated (AZ-04); all others are ignored (AZ-19)."""


@dataclass(slots=True)
class Context:
    """One authorization request.

    Attributes:
        address: set by the redirect-URI check; only with it an error goes to the application (AZ-09).
        languages: tags the browser prefers, best first.
        org_id: the organization a scope restricts the login to; empty for any.
        subject: the user id an id_token_hint or the claims parameter asks for; empty for anybody.
        hinted_user: the user id the login_hint means, where the browser has several sessions; empty for nobody.
        claims: the accepted `claims` parameter as JSON text; empty without one.
        auth_time_asked: the id_token must carry auth_time.
        acr_named: the published levels the application named, one of which is to be told.
        acr_level: how strong a sign-in is wished for (`portico_oauth.assurance.level_of`); 0 for any.
        acr_essential: a weaker one is none.
    """

    issuer: str
    directory: Directory
    parameters: Parameters
    languages: tuple[str, ...] = ()
    address: ReturnAddress | None = None
    client: Client = field(init=False)
    response_type: ResponseType = field(init=False)
    scope: tuple[str, ...] = field(init=False)
    org_id: str = field(init=False)
    nonce: str = field(init=False)
    code_challenge: str = field(init=False)
    prompts: frozenset[Prompt] = field(init=False)
    max_age: int | None = field(init=False)
    subject: str = ""
    login_hint: str = ""
    hinted_user: str = ""
    ui_locales: tuple[str, ...] = ()
    claims: str = ""
    auth_time_asked: bool = False
    acr_named: tuple[str, ...] = ()
    acr_level: int = 0
    acr_essential: bool = False

    @property
    def proven(self) -> ReturnAddress:
        """The return address, where the redirect-URI check lies behind."""
        if self.address is None:
            raise LookupError("the redirect URI is not proven yet")
        return self.address

    def stored_parameters(self) -> dict[str, str]:
        """The known parameters worth keeping for later; the hint is verified once and its subject kept."""
        return known(self.parameters, without="id_token_hint")


def known(parameters: Mapping[str, str], *, without: str = "") -> dict[str, str]:
    """The known parameters that were sent."""
    return {name: parameters[name] for name in KNOWN if name in parameters and name != without}


def recalled(parameters: dict[str, str]) -> Parameters:
    """Parameters as they were kept."""
    return Parameters(list(parameters.items()))
