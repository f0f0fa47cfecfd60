"""The gateway behind nginx as in docs/guides/behind-a-proxy.md."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import pytest
from portico_scenarios import behind_a_proxy
from portico_scenarios.behind_a_proxy import Place, as_here, blocks_of_guide, program_running, world_behind
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long]

_MAIN: Final = """\
daemon off;
pid {data}/pid;
error_log {data}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {data}/body;
    proxy_temp_path {data}/proxy;
    fastcgi_temp_path {data}/fastcgi;
    uwsgi_temp_path {data}/uwsgi;
    scgi_temp_path {data}/scgi;
{server}
}}
"""


@asynccontextmanager
async def nginx(place: Place, gateway_port: int) -> AsyncIterator[None]:
    program = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    assert program, "nginx is missing: make tools"
    [block] = blocks_of_guide("nginx")
    replacements = {
        "listen 443 ssl http2;": f"listen 127.0.0.1:{place.port} ssl http2;",
        "/etc/nginx/tls/fullchain.pem": str(place.files.certificate),
        "/etc/nginx/tls/privkey.pem": str(place.files.key),
        "127.0.0.1:8080": f"127.0.0.1:{gateway_port}",
    }
    file = place.data / "nginx.conf"
    file.write_text(_MAIN.format(data=place.data, server=as_here(block, replacements)))
    log = place.data / "error.log"
    async with program_running(place, program, "-p", str(place.data), "-c", str(file), "-e", str(log)):
        yield


@pytest.fixture(scope="module")
async def behind(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    async with world_behind(nginx, tmp_path_factory.mktemp("nginx")) as world:
        yield world


async def test_user_signs_in_through_nginx(behind: World) -> None:
    """Issuer, endpoints, cookies and tokens have the public name, and HSTS is sent."""
    await behind_a_proxy.check_sign_in(behind)


async def test_clients_are_rate_limited_separately(behind: World) -> None:
    """Clients are rate-limited by the address that nginx saw, so that one client cannot block others (HH-04)."""
    await behind_a_proxy.check_each_client_is_counted(behind)


async def test_plain_grpc_passes(behind: World) -> None:
    """Plain gRPC passes nginx with its trailers, and errors come from users."""
    await behind_a_proxy.check_plain_grpc(behind)


async def test_paths_are_forwarded_unchanged(behind: World) -> None:
    """Slashes, dots and semicolons arrive at the gateway as sent, so that a path has one spelling."""
    await behind_a_proxy.check_addresses_as_they_came(behind)
