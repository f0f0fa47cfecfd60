"""The composition root: the only place that connects the parts of the service."""

from __future__ import annotations

from dataclasses import dataclass

from portico_runtime.health import Health
from portico_runtime.service import lifespan
from portico_runtime.service_client import ServiceClient
from portico_web.application import create_application
from portico_web.cookies import BrowserCookie
from portico_web.direct_routes import DirectRoutes
from portico_web.edge import Edge
from portico_web.surfaces import install_catch_all
from portico_web.trusted_proxies import TrustedProxies
from starlette.types import ASGIApp

from portico_login_ui.authz_client import AuthzClient, Http
from portico_login_ui.external_flow import ExternalFlow
from portico_login_ui.first_run_flow import FirstRunFlow
from portico_login_ui.forgotten_flow import ForgottenFlow
from portico_login_ui.home_page import HomePage
from portico_login_ui.link_flow import LinkFlow
from portico_login_ui.login_flow import LoginFlow
from portico_login_ui.logout_flow import LogoutFlow
from portico_login_ui.onward import Onward
from portico_login_ui.passkey_flow import PasskeyFlow
from portico_login_ui.recovery_flow import RecoveryFlow
from portico_login_ui.routes import (
    external_routes,
    first_run_routes,
    home_routes,
    link_routes,
    login_routes,
    logout_routes,
    passkey_routes,
    recovery_routes,
    standing_routes,
)
from portico_login_ui.settings import Settings


@dataclass(frozen=True)
class Parts:
    """What production opens and tests pass in.

    Args:
        http: the way to authz; closed with the service.
    """

    http: Http


def create_app(settings: Settings, *, parts: Parts | None = None) -> tuple[ASGIApp, Health]:
    """The service and its health checks."""
    parts = parts or Parts(ServiceClient(settings.authz_url))
    authz = AuthzClient(parts.http, settings.login_api_key.get_secret_value())
    cookie = BrowserCookie(settings.issuer)
    proxies = TrustedProxies(settings.proxy_networks, settings.forwarding_networks)
    login = LoginFlow(authz, cookie, Onward(cookie), settings.issuer, proxies)
    logout = LogoutFlow(authz, cookie, Onward(cookie), settings.issuer)
    proxies = TrustedProxies(settings.proxy_networks, settings.forwarding_networks)
    external = ExternalFlow(authz, cookie, Onward(cookie), login, settings.issuer, proxies)
    links = LinkFlow(authz, Onward(cookie), settings.issuer)
    forgotten = ForgottenFlow(authz, cookie, Onward(cookie), settings.issuer, proxies)
    passkeys = PasskeyFlow(authz, Onward(cookie), settings.issuer)
    first_run = FirstRunFlow(authz, settings.issuer)
    recovery = RecoveryFlow(authz, Onward(cookie), settings.issuer)
    app = create_application(lifespan([authz]))
    app.router.routes += home_routes(HomePage(authz, cookie))
    app.router.routes += [
        *login_routes(login),
        *external_routes(external),
        *logout_routes(logout),
        *link_routes(links, forgotten),
    ]
    app.router.routes += [
        *passkey_routes(passkeys),
        *first_run_routes(first_run),
        *recovery_routes(recovery),
        *standing_routes(),
    ]
    install_catch_all(app)
    health = Health()
    health.add("authz", authz.check)
    return Edge(DirectRoutes(app), proxies), health
