"""The path map of the gateway."""

from __future__ import annotations

import pytest
from portico_contracts import http
from portico_contracts.catalogue import SERVICES
from portico_contracts.http import GATEWAY, Surface, route_of, surface_of


def test_every_route_has_a_service_and_is_listed_once() -> None:
    """A path is served by one service that exists."""
    paths = [route.path for route in GATEWAY]

    assert len(set(paths)) == len(paths)
    assert {route.service for route in GATEWAY} <= set(SERVICES)


@pytest.mark.parametrize(
    ("path", "surface"),
    [
        (http.TOKEN, Surface.OAUTH_JSON),
        (http.KEYS, Surface.OAUTH_JSON),
        (http.AUTHORIZE, Surface.PAGE),
        ("/ui/login", Surface.PAGE),
        ("/ui/login/password", Surface.PAGE),
        ("/ui/unknown", Surface.PAGE),
        ("/v2/users/human", Surface.RPC_STATUS),
        ("/management/v1/anything", Surface.RPC_STATUS),
        ("/v2", Surface.OAUTH_JSON),
        ("/", Surface.PAGE),
        ("/nothing", Surface.OAUTH_JSON),
        ("/oauth/v2/unknown", Surface.OAUTH_JSON),
    ],
)
def test_an_error_looks_like_the_path_it_falls_under(path: str, surface: Surface) -> None:
    """Unknown paths below a surface's prefix get that surface; the rest is JSON."""
    assert surface_of(path) is surface


def test_internal_paths_are_not_exposed() -> None:
    """The login API, health and metrics are not reachable from outside (IN-06, FD-18)."""
    exact = {route.path for route in GATEWAY if not route.path.endswith("*")}
    prefixes = [route.path.removesuffix("*") for route in GATEWAY if route.path.endswith("*")]

    for internal in (http.LOGIN_API, http.ACCOUNTS_API, "/healthz", "/readyz", "/metrics"):
        assert internal not in exact
        assert not any(internal.startswith(path) for path in prefixes)


def test_there_is_no_oauth_metadata_document() -> None:
    """RFC 8414's document does not exist, by specification."""
    assert not any("oauth-authorization-server" in route.path for route in GATEWAY)


@pytest.mark.parametrize(
    ("path", "service", "max_body"),
    [
        ("/oauth/v2/token", "token", 65_536),
        ("/ui/login/password", "login-ui", 65_536),
        ("/management/v1/orgs", "users", 2_097_152),
        ("/portico.user.v2.UserService/AddHumanUser", "users", 2_097_152),
    ],
)
def test_a_path_falls_under_one_route(path: str, service: str, max_body: int) -> None:
    """The route of a path has its service, and how large a body may be there (RX-01)."""
    route = route_of(path)

    assert route is not None
    assert (service, max_body) == (route.service, route.max_body)


@pytest.mark.parametrize("path", ["/login/v1/requests/x/step", "/healthz", "/metrics", "/nothing", "/v2"])
def test_internal_and_unknown_paths_have_no_route(path: str) -> None:
    """What is on no route is exposed by no gateway (P4)."""
    assert route_of(path) is None
