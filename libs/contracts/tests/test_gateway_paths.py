from __future__ import annotations

import pytest
from portico_contracts import http
from portico_contracts.catalogue import SERVICES
from portico_contracts.http import GATEWAY, Surface, route_of, surface_of


def test_every_route_is_listed_once_with_a_known_service() -> None:
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
def test_unknown_paths_get_the_surface_of_their_prefix(path: str, surface: Surface) -> None:
    """An unknown path below a surface's prefix gets that surface's errors; every other path gets JSON."""
    assert surface_of(path) is surface


def test_internal_paths_are_not_exposed() -> None:
    """The login API, health and metrics are not reachable through the gateway (IN-06, FD-18)."""
    exact = {route.path for route in GATEWAY if not route.path.endswith("*")}
    prefixes = [route.path.removesuffix("*") for route in GATEWAY if route.path.endswith("*")]

    for internal in (http.LOGIN_API, http.ACCOUNTS_API, "/healthz", "/readyz", "/metrics"):
        assert internal not in exact
        assert not any(internal.startswith(path) for path in prefixes)


def test_oauth_metadata_document_does_not_exist() -> None:
    """The metadata document of RFC 8414 is deliberately not served."""
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
def test_path_matches_one_route(path: str, service: str, max_body: int) -> None:
    """The matched route of a path names its service and its maximum body size (RX-01)."""
    route = route_of(path)

    assert route is not None
    assert (service, max_body) == (route.service, route.max_body)


@pytest.mark.parametrize("path", ["/login/v1/requests/x/step", "/healthz", "/metrics", "/nothing", "/v2"])
def test_internal_and_unknown_paths_have_no_route(path: str) -> None:
    """A path without a route is not exposed by any gateway (P4)."""
    assert route_of(path) is None
