"""Client certificates through both gateways, with openid-client and httpx (RFC 8705, decision 0151)."""

from __future__ import annotations

import base64
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from cryptography.x509 import DNSName
from portico_contracts.apply import AuthMethodName, GrantTypeName, Key, OidcApp
from portico_harness.client_certificates import Issued, new_authority, new_certificate
from portico_scenarios import third_party_app
from portico_scenarios.participants import ALICE, document_of_libraries
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.machine.ports import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.long]

NODE = Path(__file__).parent / "node/openid_client.mjs"
METHODS = (AuthMethodName.TLS_CLIENT_AUTH, AuthMethodName.SELF_SIGNED_TLS_CLIENT_AUTH)


class Bank(NamedTuple):
    world: World
    authority: Issued
    files: Path

    def certificate(self, method: AuthMethodName) -> Issued:
        issuer = self.authority if method is AuthMethodName.TLS_CLIENT_AUTH else None
        return new_certificate("CN=client", by=issuer, names=[DNSName("client.example.test")])

    async def register(self, method: AuthMethodName, issued: Issued, home: str = "https://app.example.test") -> str:
        client_id = f"{method.name.lower()}-{free_port()}"
        is_issued = method is AuthMethodName.TLS_CLIENT_AUTH
        app = OidcApp(
            name=client_id,
            client_id=client_id,
            redirect_uris=(f"{home}/cb",),
            grant_types=(GrantTypeName.AUTHORIZATION_CODE, GrantTypeName.REFRESH_TOKEN),
            auth_method_type=method,
            certificate_subject="san_dns:client.example.test" if is_issued else "",
            keys=None if is_issued else (Key(public_key=issued.pem),),
        )
        await self.world.stack.apply(document_of_libraries(app))
        return client_id

    def client(self, issued: Issued | None = None) -> httpx.AsyncClient:
        context = ssl.create_default_context(cafile=self.world.stack.layout.gateway.ca_file)
        if issued:
            context.load_cert_chain(*issued.write(self.files, "httpx"))
        return httpx.AsyncClient(verify=context)


@pytest.fixture(scope="module", params=["haproxy", "caddy"])
async def bank(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bank]:
    files, authority = tmp_path_factory.mktemp("authorities"), new_authority()
    (files / "authorities.pem").write_text(authority.pem)
    environment = {"PORTICO_MTLS_CA_FILE": str(files / "authorities.pem")}
    options = StackOptions(
        tmp_path_factory.mktemp(request.param),
        port=0,
        https=True,
        gateway=request.param,
        mtls=True,
        extra_env={"token": environment, "authz": environment | {"PORTICO_PUSHED_AUTHORIZATION_REQUESTS": "true"}},
    )
    async with started(options) as world:
        yield Bank(world, authority, files)


@pytest.mark.parametrize("method", METHODS)
async def test_openid_client_signs_in(bank: Bank, tmp_path: Path, method: AuthMethodName) -> None:
    """It pushes the request, redeems the code and refreshes at the aliases, authenticated by its certificate alone."""
    url, issued = f"http://localhost:{free_port()}", bank.certificate(method)
    client_id, world = await bank.register(method, issued, url), bank.world
    certificate, key = issued.write(tmp_path, "client")
    environment = {"ISSUER": world.issuer, "CLIENT_ID": client_id, "URL": url, "METHOD": "tls_client_auth"}
    environment |= {"CERT": certificate, "CERT_KEY": key, "CA": str(world.stack.layout.gateway.ca_file)}
    environment |= {"PUSH": world.metadata["pushed_authorization_request_endpoint"]}
    async with third_party_app.running(("node", NODE), tmp_path, url, environment) as running, world.agent() as agent:
        page = await running.sign_in(agent, ALICE.login_name, ALICE.password)
        again = await running.read("/refresh")

    assert (page, again) == ("Hello Alice Liddell", "Hello again Alice Liddell")


@pytest.mark.parametrize("method", METHODS)
async def test_httpx_introspects_with_its_certificate_only(bank: Bank, method: AuthMethodName) -> None:
    """The alias with the certificate is the only way: not another certificate, no header, and not the service itself."""
    issued, stranger = bank.certificate(method), new_certificate("CN=client", names=[DNSName("client.example.test")])
    client_id, alias = await bank.register(method, issued), bank.world.metadata["mtls_endpoint_aliases"]
    forged = {"Client-Cert": f":{base64.b64encode(issued.der).decode()}:"}
    form = {"client_id": client_id, "token": "x"}
    [replica] = [one for one in bank.world.stack.layout.replicas if one.service == "token"]
    direct = f"http://{replica.address}/oauth/v2/introspect"

    async def ask(url: str, by: Issued | None = None, headers: dict[str, str] | None = None) -> Any:
        async with bank.client(by) as client:
            answer = await client.post(url, data=form, headers=headers)
            return answer.status_code, answer.json().get("active", answer.json().get("error"))

    ordinary, certified = bank.world.metadata["introspection_endpoint"], alias["introspection_endpoint"]
    found = {
        "its certificate": await ask(certified, issued),
        "another certificate": await ask(certified, stranger),
        "no certificate": await ask(certified),
        "header at the alias": await ask(certified, None, forged),
        "header beside another certificate": await ask(certified, stranger, forged),
        "ordinary endpoint": await ask(ordinary, issued),
        "header at the ordinary endpoint": await ask(ordinary, None, forged),
        "header at the service": await ask(direct, None, forged),
        "header and wrong key at the service": await ask(direct, None, forged | {"Portico-Gateway-Key": "x" * 64}),
    }

    refused = (401, "invalid_client")
    assert found == {name: (200, False) if name == "its certificate" else refused for name in found}
