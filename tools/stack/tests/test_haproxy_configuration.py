"""The generated HAProxy configurations, as parsed by HAProxy."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import pytest
from portico_contracts.catalogue import SERVICES
from portico_harness.certificates import write_certificate
from portico_harness.gateway_alone import running, telling_server
from portico_harness.plain_http import plain_http
from portico_stack.gateway.haproxy import HaproxySite
from portico_stack.installation.demo import REPOSITORY
from portico_stack.machine.binaries import find_haproxy
from portico_stack.machine.ports import free_port
from portico_stack.machine.public_name import Certificate
from portico_stack.servers.haproxy import HaproxyServer

DEPLOYED = REPOSITORY / "deploy" / "haproxy" / "haproxy.cfg"


def _check(configuration: Path, **environment: str) -> str:
    argv = (find_haproxy(), "-c", "-f", configuration)
    done = subprocess.run(argv, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.servers
def test_deploy_configuration_has_no_warnings(tmp_path: Path) -> None:
    """HAProxy reads the configuration without a warning, with and without an operator's certificate or proxy."""
    files = write_certificate(tmp_path, "id.example.test")
    (tmp_path / "certificate.pem.key").write_bytes(files.key.read_bytes())

    assert _check(DEPLOYED) == "Configuration file is valid\n"
    assert _check(DEPLOYED, PORTICO_GATEWAY_CERTIFICATE=str(files.certificate)) == "Configuration file is valid\n"
    assert _check(DEPLOYED, PORTICO_GATEWAY_PROXIES="10.0.0.0/8") == "Configuration file is valid\n"


@dataclass(frozen=True)
class Deployed(HaproxyServer):
    """Listens as in a cluster: on the address that the environment names."""

    def _site(self) -> HaproxySite:
        return replace(super()._site(), listen=(f":{self.port}",))

    def _environment(self) -> dict[str, str]:
        return {**super()._environment(), "PORTICO_HOST": self.listen}


@pytest.mark.servers
@pytest.mark.parametrize(("host", "addresses"), [("::", ["127.0.0.1", "[::1]"]), ("", ["127.0.0.1"])])
async def test_environment_names_the_address(tmp_path: Path, host: str, addresses: list[str]) -> None:
    """With ``::`` the gateway is reached by IPv6 and IPv4; a service reads both addresses of the client."""
    port, reached, clients = free_port(), [], []
    upstreams = dict.fromkeys(SERVICES, (f"127.0.0.1:{port}",))
    server = Deployed(tmp_path / "gateway", free_port(), free_port(), upstreams, listen=host)
    async with running(server, tmp_path / "logs"), telling_server(port, "token"):
        for address in ("127.0.0.1", "[::1]"):
            with suppress(httpx.ConnectError):
                async with plain_http(f"http://{address}:{server.port}") as client:
                    head = (await client.get("/oidc/v1/userinfo")).json()["head"]
                reached.append(address)
                clients += re.findall(r"^X-Forwarded-For: (.*?)\r?$", head, re.MULTILINE | re.IGNORECASE)

    assert reached == addresses
    assert [address.removeprefix("::ffff:") for address in clients] == [one.strip("[]") for one in addresses]


@pytest.mark.servers
@pytest.mark.parametrize("https", [False, True])
@pytest.mark.parametrize("address", ["127.0.0.1:8000", "[::1]:8000", "service.example.test:8000"])
def test_stack_configuration_has_no_warnings(tmp_path: Path, https: bool, address: str) -> None:
    """HAProxy reads it without a warning, by address and name, with gRPC, health checks and a certificate."""
    files = write_certificate(tmp_path, "id.example.test")
    given = Certificate(files.certificate, files.key) if https else None
    upstreams = dict.fromkeys(SERVICES, (address, address.replace("8000", "8001")))
    grpc = {"users": (address,)}
    server = HaproxyServer(
        tmp_path / "gateway", 18080, 18081, upstreams, grpc, https, "id.example.test", given, health_port=9000
    )
    server.program()

    assert _check(tmp_path / "gateway" / "haproxy.cfg") == "Configuration file is valid\n"


@pytest.mark.servers
def test_each_replica_is_checked_once(tmp_path: Path) -> None:
    """However many backends have it: checks are most of what an idle gateway and its services do (decision 0089)."""
    upstreams = dict.fromkeys(SERVICES, ("127.0.0.1:8000", "127.0.0.1:8001"))
    grpc = {"users": ("127.0.0.1:8100", "127.0.0.1:8101")}
    HaproxyServer(tmp_path / "gateway", 18080, 18081, upstreams, grpc, health_port=9000).program()
    lines = (tmp_path / "gateway" / "haproxy.cfg").read_text().splitlines()
    checked = [line.split()[1] for line in lines if " check port " in line]

    assert sorted(checked) == sorted(f"{service}-{number}" for service in SERVICES for number in (1, 2))
    assert _check(tmp_path / "gateway" / "haproxy.cfg") == "Configuration file is valid\n"


@pytest.mark.servers
@pytest.mark.parametrize("replicas", [1, 2])
async def test_get_without_a_response_is_sent_to_another_replica(tmp_path: Path, replicas: int) -> None:
    """A GET that a dying replica received is repeated where there is another one; copies for that are dear."""
    ports, received = [free_port() for _ in range(replicas)], 0

    async def die(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal received
        await reader.readuntil(b"\r\n\r\n")
        received += 1
        writer.close()

    upstreams = dict.fromkeys(SERVICES, tuple(f"127.0.0.1:{port}" for port in ports))
    server = HaproxyServer(tmp_path / "gateway", free_port(), free_port(), upstreams)
    async with AsyncExitStack() as running_ones:
        for port in ports:
            await running_ones.enter_async_context(await asyncio.start_server(die, "127.0.0.1", port))
        await running_ones.enter_async_context(running(server, tmp_path / "logs"))
        client = await running_ones.enter_async_context(plain_http(server.url))
        answer = await client.get("/oauth/v2/keys")

    assert answer.status_code == 503
    assert received == (1 if replicas == 1 else 3)


def test_configuration_needs_no_root() -> None:
    """There is no chroot, user change or admin socket, and connections and their buffers are limited (RX-06)."""
    words = {line.split()[0] for line in DEPLOYED.read_text().splitlines() if line.strip()}

    assert not words & {"chroot", "user", "group", "uid", "gid", "stats", "ulimit-n"}
    assert re.search(r"^    maxconn 8192$", DEPLOYED.read_text(), re.MULTILINE)
    assert re.search(r"^    tune.bufsize 65536$", DEPLOYED.read_text(), re.MULTILINE)
