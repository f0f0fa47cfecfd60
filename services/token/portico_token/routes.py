"""The HTTP routes: plain Starlette, because these are the hot paths and need no validation models."""

from __future__ import annotations

from portico_contracts.http import DEVICE_AUTHORIZATION, INTROSPECT, PUSHED_REQUESTS, REVOKE, TOKEN, USERINFO
from portico_web.surfaces import Endpoint, Render, bearer_json, oauth_json, render_errors
from starlette.routing import Route

from portico_token.cross_origin import cross_origin, preflight
from portico_token.device_authorization import DeviceAuthorization
from portico_token.diagnostics import Diagnostics
from portico_token.introspection import Introspection
from portico_token.pushed_requests import PushedRequests
from portico_token.revocation import Revocation
from portico_token.token_endpoint import TokenEndpoint
from portico_token.userinfo import Userinfo
from portico_token.users_client import UsersClient


def routes(
    token: TokenEndpoint,
    device: DeviceAuthorization,
    introspection: Introspection,
    revocation: Revocation,
    userinfo: Userinfo,
    pushed_requests: PushedRequests,
    users_client: UsersClient,
    diagnostics: Diagnostics,
) -> list[Route]:
    def for_pages(path: str, endpoint: Endpoint, render: Render, methods: list[str]) -> list[Route]:
        preflight_endpoint = preflight(users_client, ", ".join(methods), render)
        observe = diagnostics.observe(path)
        return [
            Route(path, cross_origin(render_errors(endpoint, render, observe), users_client), methods=methods),
            Route(path, render_errors(preflight_endpoint, render), methods=["OPTIONS"]),
        ]

    introspect = render_errors(introspection.answer, oauth_json, diagnostics.observe(INTROSPECT))
    return [
        *for_pages(TOKEN, token.answer, oauth_json, ["POST"]),
        *for_pages(DEVICE_AUTHORIZATION, device.answer, oauth_json, ["POST"]),
        Route(INTROSPECT, introspect, methods=["POST"]),
        *for_pages(REVOKE, revocation.answer, oauth_json, ["POST"]),
        *for_pages(PUSHED_REQUESTS, pushed_requests.answer, oauth_json, ["POST"]),
        *for_pages(USERINFO, userinfo.answer, bearer_json, ["GET", "POST"]),
    ]
