from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple


class Surface(StrEnum):
    OAUTH_JSON = "oauth_json"
    PAGE = "page"
    RPC_STATUS = "rpc_status"


HOME: Final = "/"
"""The home page of the issuer; it shows the accounts signed in in this browser."""

DISCOVERY: Final = "/.well-known/openid-configuration"
CHANGE_PASSWORD: Final = "/.well-known/change-password"
"""Redirects to the account page (W3C, A Well-Known URL for Changing Passwords)."""

PASSKEY_ENDPOINTS: Final = "/.well-known/passkey-endpoints"
"""Where passkeys are registered and managed (W3C, Passkey Endpoints)."""

RELATED_ORIGINS: Final = "/.well-known/webauthn"
"""The origins of PORTICO_PASSKEY_ORIGINS (WebAuthn Level 3 section 5.11)."""

AUTHORIZE: Final = "/oauth/v2/authorize"
AUTHORIZE_RESUME: Final = "/oauth/v2/authorize/resume"
TOKEN: Final = "/oauth/v2/token"
DEVICE_AUTHORIZATION: Final = "/oauth/v2/device_authorization"
INTROSPECT: Final = "/oauth/v2/introspect"
REVOKE: Final = "/oauth/v2/revoke"
PUSHED_REQUESTS: Final = "/oauth/v2/par"
"""Pushed authorization requests (RFC 9126)."""

KEYS: Final = "/oauth/v2/keys"
USERINFO: Final = "/oidc/v1/userinfo"
END_SESSION: Final = "/oidc/v1/end_session"
LOGIN: Final = "/ui/login"
LOGGED_OUT: Final = "/ui/login/logged-out"
STAYS: Final = "stays"
"""Query parameter of that page: the application's address could not be checked. It only selects a text."""

LANGUAGE_CHOICE: Final = "/ui/login/language"
"""Where the foot of the pages sends another language (`portico_web.language_choice`)."""

LOGIN_STATIC: Final = "/ui/login/static"
LOGOS: Final = "/ui/branding/logos"
"""Logos of organizations, named by a hash of their content."""

LOGIN_BRANDING: Final = "/ui/login/branding"

LOGOUT: Final = "/ui/login/logout"
"""Logout confirmation: ``?request=<id>``."""

LOGOUT_API: Final = "/login/v1/logouts"
DEVICE_PAGE: Final = "/ui/login/device"
"""Where a user enters the code of a device (RFC 8628): ``?user_code=…`` fills it in."""

DEVICE_API: Final = "/login/v1/device"
"""authz's API for the page of a device's code."""

VERIFY_EMAIL_PAGE: Final = "/ui/login/mail/verification"
"""Email verification by link: ``?userID=…&code=…``."""

SET_PASSWORD_PAGE: Final = "/ui/login/password/init"
"""Setting a password by emailed link: ``?userID=…&code=…``."""

REGISTER_PASSKEY_PAGE: Final = "/ui/login/passkey/registration"
"""Passkey registration by emailed link: ``?userID=…&codeID=…&code=…``."""

FIRST_RUN_PAGE: Final = "/ui/login/first-run"
"""Creation of the first administrator by the link of `portico first-run`: ``?code=…``."""

RECOVERY_PAGE: Final = "/ui/login/recovery"
"""Account recovery by the link in a change notice, for a user who did not make the change: ``?code=…``."""

PASSKEY_OPTIONS: Final = "/ui/login/passkey/options"
"""Challenge for the script of the login name page: ``POST ?request=<id>``, JSON response."""

FORGOT_PASSWORD_PAGE: Final = "/ui/login/password/forgot"
"""Requests a password reset link by email."""

LINK_API: Final = "/login/v1/links"
"""Path prefix of the calls that the pages behind emailed links make (`portico_contracts.login_calls`)."""

ACCOUNTS_API: Final = "/login/v1/accounts"
"""authz's API for the accounts signed in in a browser."""

EXTERNAL_CALLBACK: Final = "/ui/login/idps/{id}/callback"
"""Callback of identity providers, by GET or by a cross-site POST."""

JWT_AUTHORIZE: Final = "/ui/login/login/jwt/authorize"
"""Receives a JWT in a header from the proxy of a JWT provider."""

JWT_CALLBACK: Final = "/ui/login/login/jwt/callback"
"""Second redirect of the JWT flow, on which the browser sends its cookie."""

EXTERNAL_API: Final = "/login/v1/external"
"""Path prefix of the calls that the callbacks of identity providers make."""

LOGIN_API: Final = "/login/v1/requests"
"""authz's login API: internal, never in the gateway's map."""

CONSOLE: Final = "/ui/console"

CONSOLE_PROVIDER_TEST: Final = "/ui/console/provider-test"
"""Where a test of an identity provider ends."""

CONSOLE_STATIC: Final = "/ui/console/static"

ACCOUNT: Final = "/ui/account"
ACCOUNT_SECURITY: Final = f"{ACCOUNT}/security"
NEW_PASSKEY: Final = f"{ACCOUNT_SECURITY}/passkeys/new"

BACK_CHANNEL_LOGOUT: Final = "/backchannel-logout"
"""Back-channel logout URI below the console and the account page (OpenID Connect Back-Channel Logout 1.0)."""

MANAGEMENT_OPENAPI: Final = "/v2/openapi.json"

MANAGEMENT_HEALTH: Final = "/admin/v1/healthz"

RPC_PREFIX: Final = "/portico."
"""Path prefix of all methods in Connect, gRPC-web and gRPC: ``/portico.user.v2.UserService/…``."""

ZITADEL_PREFIX: Final = "/zitadel."
"""The same for the methods of ZITADEL's SDKs: ``/zitadel.user.v2.UserService/…``."""

GRPC_MEDIA: Final = "application/grpc"

CALL_PREFIXES: Final = (RPC_PREFIX, ZITADEL_PREFIX)

SCIM: Final = "/scim/v2"
"""Path prefix of SCIM (RFC 7644); the next segment is the id of a connection."""

SCIM_BODY: Final = 1024 * 1024
"""Maximum bytes of a SCIM request."""

MANAGEMENT_BODY: Final = 2 * 1024 * 1024
"""Maximum bytes of a management API request."""

MTLS_ALIASES: Final = {
    "token_endpoint": TOKEN,
    "revocation_endpoint": REVOKE,
    "introspection_endpoint": INTROSPECT,
    "device_authorization_endpoint": DEVICE_AUTHORIZATION,
    "pushed_authorization_request_endpoint": PUSHED_REQUESTS,
    "userinfo_endpoint": USERINFO,
}
"""The endpoints that can also be called with a client certificate, by their names in discovery (RFC 8705 section 5)."""

CONSOLE_BODY: Final = (1024 + 128) * 1024
"""Maximum bytes of a request to the console or account page: a form with a file of users."""

GATEWAY_SECONDS: Final = 30
"""Timeout of the gateway for a response of a service: longer than any operation in a service."""


class Route(NamedTuple):
    """A path, or with a trailing ``*`` a prefix, and the service that serves it."""

    path: str
    service: str
    surface: Surface
    max_body: int = 64 * 1024


GATEWAY: Final[tuple[Route, ...]] = (
    Route(DISCOVERY, "authz", Surface.OAUTH_JSON),
    Route(CHANGE_PASSWORD, "login-ui", Surface.OAUTH_JSON),
    Route(PASSKEY_ENDPOINTS, "login-ui", Surface.OAUTH_JSON),
    Route(RELATED_ORIGINS, "login-ui", Surface.OAUTH_JSON),
    Route(AUTHORIZE, "authz", Surface.PAGE),
    Route(AUTHORIZE_RESUME, "authz", Surface.PAGE),
    Route(END_SESSION, "authz", Surface.PAGE),
    Route(TOKEN, "token", Surface.OAUTH_JSON),
    Route(DEVICE_AUTHORIZATION, "token", Surface.OAUTH_JSON),
    Route(INTROSPECT, "token", Surface.OAUTH_JSON),
    Route(REVOKE, "token", Surface.OAUTH_JSON),
    Route(PUSHED_REQUESTS, "token", Surface.OAUTH_JSON),
    Route(USERINFO, "token", Surface.OAUTH_JSON),
    Route(KEYS, "keys", Surface.OAUTH_JSON),
    Route(HOME, "login-ui", Surface.PAGE),
    Route("/ui/login", "login-ui", Surface.PAGE),
    Route("/ui/login/*", "login-ui", Surface.PAGE),
    Route(CONSOLE, "console", Surface.PAGE, CONSOLE_BODY),
    Route(f"{CONSOLE}/*", "console", Surface.PAGE, CONSOLE_BODY),
    Route(ACCOUNT, "console", Surface.PAGE, CONSOLE_BODY),
    Route(f"{ACCOUNT}/*", "console", Surface.PAGE, CONSOLE_BODY),
    Route(f"{RPC_PREFIX}*", "users", Surface.RPC_STATUS, MANAGEMENT_BODY),
    Route(f"{ZITADEL_PREFIX}*", "users", Surface.RPC_STATUS, MANAGEMENT_BODY),
    Route(f"{LOGOS}/*", "users", Surface.RPC_STATUS, MANAGEMENT_BODY),
    Route("/v2/*", "users", Surface.RPC_STATUS, MANAGEMENT_BODY),
    Route("/v2beta/*", "users", Surface.RPC_STATUS, MANAGEMENT_BODY),
    Route("/v2alpha/*", "users", Surface.RPC_STATUS, MANAGEMENT_BODY),
    Route("/management/v1/*", "users", Surface.RPC_STATUS, MANAGEMENT_BODY),
    Route("/admin/v1/*", "users", Surface.RPC_STATUS, MANAGEMENT_BODY),
    # The service refuses what is larger than SCIM_BODY, in the format of SCIM.
    Route(f"{SCIM}/*", "users", Surface.RPC_STATUS, MANAGEMENT_BODY),
)


def route_of(path: str) -> Route | None:
    for route in GATEWAY:
        if path == route.path or (route.path.endswith("*") and path.startswith(route.path[:-1])):
            return route
    return None


def surface_of(path: str) -> Surface:
    if route := route_of(path):
        return route.surface
    return Surface.PAGE if path.startswith("/ui") else Surface.OAUTH_JSON
