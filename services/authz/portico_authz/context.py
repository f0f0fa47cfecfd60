"""The state of an authorization request.

Each check reads the parameters and sets its fields; reading a field before its check is an AttributeError.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from portico_contracts.users import Client
from portico_oauth.response_types import ResponseType
from portico_web.return_address import ReturnAddress

from portico_authz.directory import Directory
from portico_authz.domain.prompt import Prompt
from portico_authz.domain.request_parameters import RequestParameters


class UserAgent(NamedTuple):
    """The browser that sent a request.

    Attributes:
        handle: from its cookie; empty without one.
        languages: tags it prefers, best first.
        device: what it is, in words; empty where the list has none.
        client_address: the fingerprint of its address, for counting; empty where it is not known.
    """

    handle: str = ""
    languages: tuple[str, ...] = ()
    device: str = ""
    client_address: str = ""


UNKNOWN_AGENT: Final = UserAgent()


@dataclass(slots=True)
class Context:
    """One authorization request.

    Attributes:
        address: set by the redirect-URI check; only with it an error is redirected to the application (AZ-09).
        requested_scope: every word that was sent; `scope` is what is granted of it.
        org_id: the organization a scope restricts the login to; empty for any.
        provider: the identity provider a scope names; empty for none.
        subject: the user id an id_token_hint or the claims parameter requires; empty for any.
        hinted_user: the user id of the login_hint, where the browser has sessions; empty for none.
        claims: the accepted `claims` parameter as JSON text; empty without one.
        auth_time_requested: the id_token must contain auth_time.
        acr_requested: the published levels of the request, one of which becomes the `acr` claim.
        acr_level: the requested strength (`portico_oauth.assurance.level_of`); 0 for any.
        acr_essential: a weaker authentication fails the request.
        reached: the name of the check that is made, or was the last; empty before the first, and after all of them passed.
        passed: the names of the checks of the endpoint, once all of them passed.
    """

    issuer: str
    directory: Directory
    parameters: RequestParameters
    user_agent: UserAgent = UNKNOWN_AGENT
    address: ReturnAddress | None = None
    client: Client = field(init=False)
    response_type: ResponseType = field(init=False)
    requested_scope: tuple[str, ...] = field(init=False)
    scope: tuple[str, ...] = field(init=False)
    org_id: str = field(init=False)
    nonce: str = field(init=False)
    code_challenge: str = field(init=False)
    prompts: frozenset[Prompt] = field(init=False)
    max_age: int | None = field(init=False)
    provider: str = ""
    subject: str = ""
    login_hint: str = ""
    hinted_user: str = ""
    ui_locales: tuple[str, ...] = ()
    claims: str = ""
    auth_time_requested: bool = False
    acr_requested: tuple[str, ...] = ()
    acr_level: int = 0
    acr_essential: bool = False
    reached: str = ""
    passed: tuple[str, ...] = ()

    @property
    def verified_address(self) -> ReturnAddress:
        if self.address is None:
            raise LookupError("the redirect URI is not verified yet")
        return self.address
