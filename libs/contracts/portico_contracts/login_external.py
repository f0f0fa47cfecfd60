"""The messages of authz's login API for a browser that comes back from another identity provider (decision 0047).

What comes by a request that carries no cookie is parked first, and fetched with the handle when the browser brings its cookie.
"""

from __future__ import annotations

from portico_contracts.login import Step
from portico_contracts.subjects import Message, Secret


class ReturnExternal(Message, frozen=True):
    """What a browser brings back from a provider: the parameters of the callback, or the handle of what was parked.

    Attributes:
        browser: the handle from the browser's cookie.
        provider_id: in the path of the callback; empty at the one of JWT providers.
        handle: of `Parked`; empty where the parameters are here.
        languages: as in `Answer`.
    """

    browser: Secret
    provider_id: str = ""
    parameters: dict[str, Secret] = {}
    handle: Secret = ""
    languages: tuple[str, ...] = ()


class ExternalReturned(Message, frozen=True):
    """The sign-in that goes on, and its next step."""

    request_id: str
    step: Step


class ParkExternal(Message, frozen=True):
    """Parks what came by a cross-site POST, which carries no cookie (``response_mode=form_post``).

    Attributes:
        address: of the client, for counting: what one address parks is limited.
    """

    provider_id: str
    parameters: dict[str, Secret]
    address: str = ""


class Parked(Message, frozen=True):
    """The handle of what was parked: good once, for a minute, for the browser that began the flow."""

    handle: Secret


class GetJwtHeader(Message, frozen=True):
    """Asks which header the JWT of a flow comes in.

    Attributes:
        auth_request, user_agent: ``authRequestID`` and ``userAgentID`` of the address.
    """

    auth_request: Secret
    user_agent: Secret


class JwtHeader(Message, frozen=True):
    """Its name in lower case."""

    name: str


class ParkJwt(Message, frozen=True):
    """Parks a JWT that a proxy on another domain brought, without a cookie.

    Attributes:
        address: as in `ParkExternal`.
    """

    auth_request: Secret
    user_agent: Secret
    jwt: Secret
    address: str = ""
