"""The messages of authz's login API for a browser that returns from an identity provider (decision 0047).

A callback without a cookie is parked first, and fetched by its handle when the browser sends its cookie.
"""

from __future__ import annotations

from portico_contracts.login_steps import AnyStep
from portico_contracts.subjects import Message, Secret


class ReturnExternal(Message, frozen=True):
    """A provider's callback: its parameters, or the handle of parked ones.

    Attributes:
        browser: the handle from the browser's cookie.
        provider_id: from the path of the callback; empty for JWT providers.
        handle: of `Parked`; empty where the parameters are included.
        languages, address, to_application: as in `Answer`.
    """

    browser: Secret
    provider_id: str = ""
    parameters: dict[str, Secret] = {}
    handle: Secret = ""
    languages: tuple[str, ...] = ()
    address: str = ""
    to_application: bool = False


class ExternalReturned(Message, frozen=True):
    """The resumed sign-in and its next step."""

    request_id: str
    step: AnyStep


class ParkExternal(Message, frozen=True):
    """Parks a cross-site POST, which carries no cookie (``response_mode=form_post``).

    `address` is the client's IP address, for rate limiting.
    """

    provider_id: str
    parameters: dict[str, Secret]
    address: str = ""


class Parked(Message, frozen=True):
    """The handle of parked parameters: valid once, for one minute, for the browser that started the flow."""

    handle: Secret


class GetJwtHeader(Message, frozen=True):
    """Requests the name of the header that carries the JWT of a flow.

    `auth_request` and `user_agent` are ``authRequestID`` and ``userAgentID`` of the URL.
    """

    auth_request: Secret
    user_agent: Secret


class JwtHeader(Message, frozen=True):
    """The header name in lower case."""

    name: str


class ParkJwt(Message, frozen=True):
    """Parks a JWT sent through a proxy on another domain, without a cookie.

    `address` is as in `ParkExternal`.
    """

    auth_request: Secret
    user_agent: Secret
    jwt: Secret
    address: str = ""
