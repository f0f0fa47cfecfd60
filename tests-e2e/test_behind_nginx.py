"""The gateway behind nginx, as docs/guides/behind-a-proxy.md has it: addresses, sign-in, tokens and gRPC are those of the issuer."""

from __future__ import annotations

import asyncio
import re
import shutil
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import grpc
import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_harness.certificates import Files, write_certificate
from portico_harness.eventually import eventually
from portico_journeys.id_token import checked_claims
from portico_journeys.participants import ALICE
from portico_journeys.programs import API
from portico_journeys.world import World, http_client, started
from portico_stack.layout import StackOptions
from portico_stack.ports import free_port

pytestmark = pytest.mark.e2e

HOST = "id.example.com"
GUIDE = Path(__file__).parents[1] / "docs/guides/behind-a-proxy.md"
LIMIT = 20
"""Requests a minute from one address at the key set."""

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


@dataclass(frozen=True)
class Nginx:
    """The server of the guide on this machine."""

    data: Path
    port: int
    files: Files

    @property
    def url(self) -> str:
        """The issuer."""
        return f"https://{HOST}:{self.port}"

    def configuration(self, gateway_port: int) -> Path:
        """What the guide has, with files and ports of this machine in the place of its own."""
        [server] = re.findall(r"```nginx\n(.*?)```", GUIDE.read_text(), re.DOTALL)
        for before, after in {
            "listen 443 ssl http2;": f"listen 127.0.0.1:{self.port} ssl http2;",
            "/etc/nginx/tls/fullchain.pem": str(self.files.certificate),
            "/etc/nginx/tls/privkey.pem": str(self.files.key),
            "127.0.0.1:8080": f"127.0.0.1:{gateway_port}",
        }.items():
            assert before in server
            server = server.replace(before, after)
        file = self.data / "nginx.conf"
        file.write_text(_MAIN.format(data=self.data, server=server))
        return file

    @asynccontextmanager
    async def running(self, gateway_port: int) -> AsyncIterator[None]:
        """Until the block ends."""
        program = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
        assert program, "nginx is missing: make tools"
        process = await asyncio.create_subprocess_exec(
            program,
            "-p",
            str(self.data),
            "-c",
            str(self.configuration(gateway_port)),
            "-e",
            str(self.data / "error.log"),
        )
        try:
            yield
        finally:
            process.terminate()
            await process.wait()


@pytest.fixture(scope="module")
async def behind(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """A stack whose issuer is that of nginx, seen from there."""
    data = tmp_path_factory.mktemp("nginx")
    nginx = Nginx(data, free_port(), write_certificate(data, HOST))
    given = {"PORTICO_ISSUER": nginx.url, "PORTICO_TRUSTED_PROXIES": "127.0.0.1/32"}
    environment = {service: dict(given) for service in SERVICES}
    environment["keys"]["PORTICO_KEYS_REQUESTS_PER_MINUTE"] = str(LIMIT)
    options = StackOptions(tmp_path_factory.mktemp("behind"), port=0, extra_env=environment)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PORTICO_GATEWAY_PROXIES", "127.0.0.1")
        async with started(options) as world:
            async with (
                nginx.running(world.stack.layout.gateway.port),
                http_client(nginx.url, nginx.files.authority) as http,
            ):
                seen = replace(world, issuer=nginx.url, ca_file=nginx.files.authority, http=http)
                await eventually(lambda: answers(http, world.metadata["jwks_uri"]), bool, 20)
                yield seen


async def answers(http: httpx.AsyncClient, url: str) -> bool:
    """Whether nginx listens."""
    try:
        return (await http.get(url)).status_code == 200
    except httpx.TransportError:
        return False


async def test_a_person_signs_in_through_nginx(behind: World) -> None:
    """Issuer, endpoints, cookies and tokens are those of the name that the browser knows; the answer binds it to https."""
    tokens = await behind.tokens_of(ALICE, "basic")
    claims = await checked_claims(behind.http, behind.metadata, tokens["id_token"], "e2e-basic")
    introspected = (await behind.ask("introspection_endpoint", API.client, token=tokens["access_token"])).json()
    discovery = await behind.http.get(f"{behind.issuer}/.well-known/openid-configuration")

    assert claims["iss"] == behind.issuer
    assert introspected["active"] is True
    assert discovery.json()["issuer"] == behind.issuer
    assert discovery.headers["strict-transport-security"] == "max-age=63072000"


async def test_each_client_is_counted_for_itself(behind: World) -> None:
    """By the address nginx saw, whatever it sends itself: one that requests too often does not stop the others (HH-04)."""
    busy = [await keys_from(behind, "127.0.0.2", f"203.0.113.{number}") for number in range(LIMIT + 5)]
    calm = [await keys_from(behind, "127.0.0.3") for _ in range(3)]

    assert busy[0] == 200
    assert busy[-1] == 429
    assert calm == [200] * 3


async def keys_from(world: World, address: str, claimed: str = "") -> int:
    """The status of the key set for a client with an address of this machine, which claims another one."""
    trust = ssl.create_default_context(cafile=world.ca_file)
    transport = httpx.AsyncHTTPTransport(verify=trust, local_address=address)
    url = httpx.URL(world.metadata["jwks_uri"])
    headers = {"Host": url.netloc.decode(), **({"X-Forwarded-For": claimed} if claimed else {})}
    async with httpx.AsyncClient(transport=transport) as http:
        answer = await http.get(url.copy_with(host="127.0.0.1"), headers=headers, extensions={"sni_hostname": HOST})
    return answer.status_code


async def test_plain_grpc_passes(behind: World) -> None:
    """With its trailers: the refusal is that of users, not one of a proxy."""
    port = httpx.URL(behind.issuer).port
    authority = behind.ca_file.read_bytes() if behind.ca_file else None
    trusted = grpc.ssl_channel_credentials(authority)  # type: ignore[no-untyped-call]
    options = (("grpc.ssl_target_name_override", HOST),)
    async with grpc.aio.secure_channel(f"127.0.0.1:{port}", trusted, options) as channel:
        method: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(
            "/portico.user.v2.UserService/GetUserByID"
        )
        call = method(b"", timeout=20)

        assert await call.code() is grpc.StatusCode.UNAUTHENTICATED
