"""A service loads only the libraries it uses, because libraries take most of its memory (decision 0044)."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Final

import pytest

FRAMEWORK: Final = {
    "annotated_doc", "annotated_types", "anyio", "fastapi", "httptools", "msgspec", "opentelemetry",
    "prometheus_client", "pydantic", "pydantic_core", "python_multipart", "starlette", "structlog",
    "typing_extensions", "typing_inspection", "uvicorn", "uvloop",
}  # fmt: skip
"""Loaded by every service."""

JOSE: Final = {"cryptography", "jwt"}
REDIS: Final = {"hiredis", "redis"}
MONGO: Final = {"bson", "gridfs", "motor", "pymongo"}
OUTBOUND: Final = {"h11"}
GRPC: Final = {"google", "h2", "hpack", "hypercorn", "hyperframe", "priority", "wsproto"}
WEBAUTHN: Final = {"OpenSSL", "cbor2", "webauthn"}
PASSWORDS: Final = {"argon2", "bcrypt", "nacl", "passlib"}
NOT_AT_START: Final = {
    "fastapi.openapi.models", "pymongo.asynchronous.mongo_client",
    "google.protobuf.text_format", "jwt.jwks_client", "prometheus_client.exposition", "redis.asyncio.client",
    "redis.client", "redis.commands.core", "portico_contracts.zitadel.methods", "portico_users.management_api.zitadel.endpoint",
}  # fmt: skip
"""Large modules that their packages import and no service uses, or not before its first request."""

LOADED: Final = {
    "portico_authz": FRAMEWORK | JOSE | REDIS | OUTBOUND | {"nats"},
    "portico_token": FRAMEWORK | JOSE | REDIS | {"nats"},
    "portico_keys": FRAMEWORK | JOSE | MONGO | {"nats"},
    "portico_login_ui": FRAMEWORK | {"markupsafe"},
    "portico_console": FRAMEWORK | JOSE | REDIS | {"google"},
    "portico_users": FRAMEWORK
    | JOSE
    | MONGO
    | REDIS
    | OUTBOUND
    | GRPC
    | WEBAUTHN
    | PASSWORDS
    | {"aiosmtplib", "idna", "nats"},
}
"""Additional libraries by package of a service."""

_LIST: Final = """
import json, os, runpy, sys
from portico_runtime.process.memory import saving

def print_modules(package):
    if os.fork():
        assert os.wait()[1] == 0
        return
    runpy.run_module(package + ".__main__")
    import uvicorn.lifespan.on  # by the server that starts
    loaded = [name for name, module in sys.modules.items() if getattr(module, "__spec__", None)]
    print(json.dumps([package, loaded]), flush=True)
    os._exit(0)

def save_memory():
    apps = [name for name in sys.modules if name.endswith(".app")]
    print(json.dumps(["saving", apps]), flush=True)

print_modules("portico_users")  # it calls save_memory with other arguments
saving.save_memory()
saving.save_memory = save_memory
import portico_runtime.service
for package in sys.argv[1:]:
    print_modules(package)
"""


@pytest.fixture(scope="module")
def modules() -> dict[str, set[str]]:
    """The names of the modules that each service loads; all but users start with what every service loads."""
    command = [sys.executable, "-c", _LIST, *(LOADED.keys() - {"portico_users"})]
    printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    found = [json.loads(line) for line in printed.splitlines()]
    assert [names for name, names in found if name == "saving"] == [[]] * 5, "save_memory is called first"
    return {package: set(names) for package, names in found if package != "saving"}


@pytest.mark.slow
@pytest.mark.parametrize("package", LOADED)
def test_service_loads_expected_libraries(modules: dict[str, set[str]], package: str) -> None:
    """A service loads exactly the listed libraries at startup, which limits its memory."""
    names = {name.partition(".")[0] for name in modules[package]} - sys.stdlib_module_names
    assert {name for name in names if not name.startswith(("_", "portico_"))} == LOADED[package]
    assert not modules[package] & NOT_AT_START
