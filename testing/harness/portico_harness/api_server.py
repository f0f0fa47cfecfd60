"""The Kubernetes API server with etcd on loopback, for admission tests without a cluster."""

from __future__ import annotations

import json
import secrets
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import yaml
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from portico_stack.machine.ports import free_port
from portico_stack.processes.programs import Process, Program

from portico_harness.built_programs import api_server_programs
from portico_harness.certificates import Files, write_certificate
from portico_harness.manifests import Manifest
from portico_harness.plain_http import plain_http

_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class Answer:
    """The API server's response to an object.

    Attributes:
        status: HTTP status.
        body: the object, or a Status with the reason.
        warnings: as sentences.
    """

    status: int
    body: Manifest
    warnings: tuple[str, ...]

    @property
    def message(self) -> str:
        """Returns the reason of an error; empty on success."""
        return str(self.body.get("message", ""))


class ApiServer:
    def __init__(self, http: httpx.AsyncClient, kubeconfig: Path) -> None:
        self.kubeconfig = kubeconfig
        self._http = http
        self._paths: dict[tuple[str, str], tuple[str, bool]] = {}

    async def version(self) -> str:
        return str((await self._json("/version"))["gitVersion"])

    async def apply(self, one: Manifest, *, dry: bool = False) -> Answer:
        """Creates or changes an object as ``kubectl apply --server-side`` does; unknown members are errors.

        Args:
            dry: admit it only (``--dry-run=server``).
        """
        name = one["metadata"]["name"]
        return _answer(
            await self._http.patch(
                f"{await self._path(one)}/{name}",
                params={"fieldManager": "portico", "force": "true", **_strict(dry=dry)},
                content=json.dumps(one),
                headers={"Content-Type": "application/apply-patch+yaml"},
            )
        )

    async def create(self, one: Manifest, *, dry: bool = False) -> Answer:
        """Creates an object as ``kubectl create --validate=strict`` does.

        Args:
            dry: admit it only.
        """
        return _answer(await self._http.post(await self._path(one), params=_strict(dry=dry), json=one))

    async def put_status(self, one: Manifest) -> Answer:
        """Sets the status of an object, in place of a controller."""
        path = f"{await self._path(one)}/{one['metadata']['name']}/status"
        return _answer(await self._http.put(path, json=one))

    async def token_for(self, namespace: str, account: str, *audiences: str, seconds: int = 3600) -> str:
        """Requests a token of a service account (TokenRequest), as the kubelet does for a projected volume."""
        body = {
            "apiVersion": "authentication.k8s.io/v1",
            "kind": "TokenRequest",
            "spec": {"audiences": [*audiences], "expirationSeconds": seconds},
        }
        path = f"/api/v1/namespaces/{namespace}/serviceaccounts/{account}/token"
        return str(_answer(await self._http.post(path, json=body)).body["status"]["token"])

    async def account_keys(self) -> Any:
        """Returns the JWK set that verifies tokens of service accounts."""
        return await self._json("/openid/v1/jwks")

    async def names(self, path: str) -> set[str]:
        return {one["metadata"]["name"] for one in (await self._json(path))["items"]}

    async def _path(self, one: Manifest) -> str:
        version, kind = one["apiVersion"], one["kind"]
        if (version, kind) not in self._paths:
            await self._discover(version)
        plural, namespaced = self._paths[version, kind]
        inside = f"/namespaces/{one['metadata']['namespace']}" if namespaced else ""
        return f"{_folder(version)}{inside}/{plural}"

    async def _discover(self, version: str) -> None:
        for one in (await self._json(_folder(version)))["resources"]:
            if "/" not in one["name"]:
                self._paths[version, one["kind"]] = (one["name"], one["namespaced"])

    async def _json(self, path: str) -> Any:
        answer = await self._http.get(path)
        if answer.status_code != httpx.codes.OK:
            raise LookupError(f"{path}: {answer.status_code} {answer.text[:300]}")
        return answer.json()


def _strict(*, dry: bool) -> dict[str, str]:
    return {"fieldValidation": "Strict", **({"dryRun": "All"} if dry else {})}


def _folder(version: str) -> str:
    return f"/apis/{version}" if "/" in version else f"/api/{version}"


def _answer(found: httpx.Response) -> Answer:
    # Format: `299 - "text"`, one header per warning (RFC 9111, section 5.5; RFC 7234).
    warnings = tuple(one.partition('"')[2].rstrip('"') for one in found.headers.get_list("Warning"))
    return Answer(found.status_code, found.json(), warnings)


@asynccontextmanager
async def api_server(folder: Path) -> AsyncIterator[ApiServer]:
    program, etcd = api_server_programs()
    stored, served = free_port(), free_port()
    token, files = secrets.token_hex(32), write_certificate(folder, "localhost")
    client = httpx.AsyncClient(
        base_url=f"https://localhost:{served}",
        headers={"Authorization": f"Bearer {token}"},
        verify=ssl.create_default_context(cafile=str(files.authority)),
        timeout=_SECONDS,
    )
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(client)
        for one in (_etcd(etcd, folder, stored), _kube(program, folder, files, token, (stored, served), client)):
            process = Process(one, folder / "logs", print)
            await process.start()
            stack.push_async_callback(process.stop, 10)
        yield ApiServer(client, _kubeconfig(folder, files, token, served))


def _etcd(program: str, folder: Path, port: int) -> Program:
    url, peers = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{free_port()}"

    async def ready() -> None:
        async with plain_http() as http:
            (await http.get(f"{url}/readyz")).raise_for_status()

    addresses = (
        *("--listen-client-urls", url, "--advertise-client-urls", url),
        *("--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", f"default={peers}"),
    )
    # Durability is not needed for temporary data.
    return Program("etcd", (program, "--data-dir", str(folder / "etcd"), "--unsafe-no-fsync", *addresses), ready)


def _kube(
    program: str, folder: Path, files: Files, token: str, ports: tuple[int, int], client: httpx.AsyncClient
) -> Program:
    accounts, tokens = folder / "accounts.pem", folder / "tokens.csv"
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    accounts.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    tokens.touch(mode=0o600)
    tokens.write_text(f'{token},admin,admin,"system:masters"\n')
    stored, served = ports

    async def ready() -> None:
        (await client.get("/readyz")).raise_for_status()

    options = {
        "etcd-servers": f"http://127.0.0.1:{stored}",
        "bind-address": "127.0.0.1",
        "secure-port": served,
        "tls-cert-file": files.certificate,
        "tls-private-key-file": files.key,
        "token-auth-file": tokens,
        "authorization-mode": "RBAC",
        "service-account-issuer": "https://localhost",
        "service-account-key-file": accounts,
        "service-account-signing-key-file": accounts,
        "service-cluster-ip-range": "10.96.0.0/16",
        # No pods exist that would reach it.
        "endpoint-reconciler-type": "none",
    }
    return Program("kube-apiserver", (program, *(f"--{name}={value}" for name, value in options.items())), ready)


def _kubeconfig(folder: Path, files: Files, token: str, port: int) -> Path:
    cluster = {"server": f"https://localhost:{port}", "certificate-authority": str(files.authority)}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "local", "cluster": cluster}],
        "users": [{"name": "admin", "user": {"token": token}}],
        "contexts": [{"name": "local", "context": {"cluster": "local", "user": "admin"}}],
        "current-context": "local",
    }
    file = folder / "kubeconfig.yaml"
    file.touch(mode=0o600)
    file.write_text(yaml.safe_dump(document))
    return file
