"""The HTTP paths, once: which service serves them at the gateway, and the surface their errors have."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple


class Surface(StrEnum):
    """How an error looks below a path; rendered by `portico_web.surfaces`."""

    OAUTH_JSON = "oauth_json"
    PAGE = "page"
    RPC_STATUS = "rpc_status"


HOME: Final = "/"
"""The page of the issuer itself: what it is, and who is signed in in this browser."""

DISCOVERY: Final = "/.well-known/openid-configuration"
AUTHORIZE: Final = "/oauth/v2/authorize"
AUTHORIZE_RESUME: Final = "/oauth/v2/authorize/resume"
TOKEN: Final = "/oauth/v2/token"
INTROSPECT: Final = "/oauth/v2/introspect"
REVOKE: Final = "/oauth/v2/revoke"
KEYS: Final = "/oauth/v2/keys"
USERINFO: Final = "/oidc/v1/userinfo"
END_SESSION: Final = "/oidc/v1/end_session"
LOGIN: Final = "/ui/login"
LOGGED_OUT: Final = "/ui/login/logged-out"
LOGIN_STATIC: Final = "/ui/login/static"
LOGOS: Final = "/ui/branding/logos"
"""Where the logos of organizations are, each under a name that follows its content."""

LOGIN_BRANDING: Final = "/ui/login/branding"
"""Where the stylesheets of organizations' colours are."""

LOGOUT: Final = "/ui/login/logout"
"""The page that requests confirmation of a logout: ``?request=<id>``."""

LOGOUT_API: Final = "/login/v1/logouts"
VERIFY_EMAIL_PAGE: Final = "/ui/login/mail/verification"
"""Where the link in an email leads that verifies an address: ``?userID=…&code=…``."""

SET_PASSWORD_PAGE: Final = "/ui/login/password/init"
"""Where the link in an email leads that sets a password: ``?userID=…&code=…``."""

REGISTER_PASSKEY_PAGE: Final = "/ui/login/passkey/registration"
"""Where the link in an email leads that registers a passkey: ``?userID=…&codeID=…&code=…``."""

FIRST_RUN_PAGE: Final = "/ui/login/first-run"
"""Where the link of `portico first-run` leads, which creates the first administrator: ``?code=…``."""

RECOVERY_PAGE: Final = "/ui/login/recovery"
"""Where the link in a notice leads, for a reader who did not make the change: ``?code=…``."""

PASSKEY_OPTIONS: Final = "/ui/login/passkey/options"
"""Where the script of the login name page gets a challenge: ``POST ?request=<id>``, answered in JSON."""

FORGOT_PASSWORD_PAGE: Final = "/ui/login/password/forgot"
"""The page that requests such a link by email."""

LINK_API: Final = "/login/v1/links"
"""Path prefix of the calls that the pages behind emailed links make (`portico_contracts.login_calls`)."""

ACCOUNTS_API: Final = "/login/v1/accounts"
"""What the home page asks authz: who is signed in in a browser."""

EXTERNAL_CALLBACK: Final = "/ui/login/idps/{id}/callback"
"""Where the browser comes back to from another identity provider, by GET or by a cross-site POST."""

JWT_AUTHORIZE: Final = "/ui/login/login/jwt/authorize"
"""Where the proxy of a JWT provider sends the browser with a JWT in a header."""

JWT_CALLBACK: Final = "/ui/login/login/jwt/callback"
"""Where it is sent on to, with its cookie."""

EXTERNAL_API: Final = "/login/v1/external"
"""Path prefix of the calls that the callbacks of identity providers make."""

LOGIN_API: Final = "/login/v1/requests"
"""authz's login API: internal, never in the gateway's map."""

CONSOLE: Final = "/ui/console"
"""The management console."""

CONSOLE_STATIC: Final = "/ui/console/static"
"""Stylesheet and script of the console and the account page."""

ACCOUNT: Final = "/ui/account"
"""The page on which people look after their own account."""

BACK_CHANNEL_LOGOUT: Final = "/backchannel-logout"
"""Below each of the two: where authz reports that a session ended (OpenID Connect Back-Channel Logout 1.0)."""

MANAGEMENT_OPENAPI: Final = "/v2/openapi.json"
"""The OpenAPI document of the management API; it is public."""

MANAGEMENT_HEALTH: Final = "/admin/v1/healthz"
"""Whether the management API is ready; it is public."""

RPC_PREFIX: Final = "/portico."
"""What the paths of all methods begin with in Connect, gRPC-web and gRPC: ``/portico.user.v2.UserService/…``."""

MANAGEMENT_BODY: Final = 2 * 1024 * 1024
"""Bytes of a request to the management API."""

CONSOLE_BODY: Final = 128 * 1024
"""Bytes of a form of the console: one with a logo among them."""

GATEWAY_SECONDS: Final = 30
"""How long the gateway waits for the answer of a service: longer than anything in it may take."""


class Route(NamedTuple):
    """A path, or with a trailing ``*`` everything that begins with it, and the service that serves it."""

    path: str
    service: str
    surface: Surface
    max_body: int = 64 * 1024


GATEWAY: Final[tuple[Route, ...]] = (
    Route(DISCOVERY, "authz", Surface.OAUTH_JSON),
    Route(AUTHORIZE, "authz", Surface.PAGE),
    Route(AUTHORIZE_RESUME, "authz", Surface.PAGE),
    Route(END_SESSION, "authz", Surface.PAGE),
    Route(TOKEN, "token", Surface.OAUTH_JSON),
    Route(INTROSPECT, "token", Surface.OAUTH_JSON),
    Route(REVOKE, "token", Surface.OAUTH_JSON),
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
    Route(f"{LOGOS}/*", "users", Surface.RPC_STATUS, MANAGEMENT_BODY),
    Route("/v2/*", "users", Surface.RPC_STATUS, MANAGEMENT_BODY),
    Route("/v2beta/*", "users", Surface.RPC_STATUS, MANAGEMENT_BODY),
    Route("/v2alpha/*", "users", Surface.RPC_STATUS, MANAGEMENT_BODY),
    Route("/management/v1/*", "users", Surface.RPC_STATUS, MANAGEMENT_BODY),
    Route("/admin/v1/*", "users", Surface.RPC_STATUS, MANAGEMENT_BODY),
)
"""What the gateway exposes, and nothing else."""


def route_of(path: str) -> Route | None:
    """The route a path falls under; None for one that no gateway exposes."""
    for route in GATEWAY:
        if path == route.path or (route.path.endswith("*") and path.startswith(route.path[:-1])):
            return route
    return None


def surface_of(path: str) -> Surface:
    """The surface errors have at a path: that of the route it falls under, else by its first segment."""
    if route := route_of(path):
        return route.surface
    return Surface.PAGE if path.startswith("/ui") else Surface.OAUTH_JSON
