from __future__ import annotations

from portico_contracts.http import CONSOLE
from portico_runtime.http_client.service_client import ServiceClient
from portico_runtime.process.health import UNUSED_SECONDS, Health
from portico_runtime.service import lifespan
from portico_runtime.settings.sections.passkey import origins_in
from portico_web.application import create_application
from portico_web.cookies import BrowserCookie
from portico_web.direct_routes import DirectRoutes
from portico_web.edge import Edge
from portico_web.surfaces import install_catch_all
from portico_web.trusted_proxies import TrustedProxies
from starlette.types import ASGIApp

from portico_login_ui.authz_client import AuthzClient, Http
from portico_login_ui.flow import FlowParts
from portico_login_ui.redirects import Redirects
from portico_login_ui.routes import routes
from portico_login_ui.settings import Settings
from portico_login_ui.well_known import well_known_routes


def create_app(settings: Settings, *, http: Http | None = None) -> tuple[ASGIApp, Health]:
    """The service and its health checks.

    Args:
        http: the way to authz, closed with the service; tests pass their own.
    """
    authz = AuthzClient(http or ServiceClient(settings.authz_url), settings.login_api_key.get_secret_value())
    cookie = BrowserCookie(settings.issuer)
    proxies = TrustedProxies(settings.proxy_networks, settings.forwarding_networks)
    app = create_application(lifespan([authz]))
    console = f"{settings.console_url}{CONSOLE}"
    app.router.routes += routes(FlowParts(authz, cookie, Redirects(cookie), settings.issuer, proxies, console))
    app.router.routes += well_known_routes(settings.issuer, origins_in(settings.passkey_origins))
    install_catch_all(app)
    health = Health()
    health.add("authz", authz.check, remembered=UNUSED_SECONDS)
    return Edge(DirectRoutes(app), proxies), health
