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
OUTBOUND: Final = {"certifi", "h11", "httpcore"}
GRPC: Final = {"google", "h2", "hpack", "hypercorn", "hyperframe", "priority", "wsproto"}
WEBAUTHN: Final = {"OpenSSL", "cbor2", "webauthn"}
PASSWORDS: Final = {"argon2", "bcrypt", "nacl", "passlib"}
NOT_AT_START: Final = {
    "fastapi.openapi.models", "pymongo.asynchronous.mongo_client",
    "google.protobuf.text_format", "jwt.jwks_client", "prometheus_client.exposition", "redis.asyncio.client",
    "redis.client", "redis.commands.core", "portico_contracts.zitadel.methods", "portico_users.api.zitadel.endpoint",
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
import json, runpy, sys
runpy.run_module(sys.argv[1] + ".__main__")
import uvicorn.lifespan.on  # by the server that starts
print(json.dumps([name for name, module in sys.modules.items() if getattr(module, "__spec__", None)]))
"""


def modules_loaded_by(package: str) -> set[str]:
    """Returns the names of modules that the service's main module loads in a separate process."""
    command = [sys.executable, "-c", _LIST, package]
    printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    return set(json.loads(printed))


@pytest.mark.programs
@pytest.mark.parametrize("package", LOADED)
def test_service_loads_expected_libraries(package: str) -> None:
    """A service loads exactly the listed libraries at startup, which limits its memory."""
    modules = modules_loaded_by(package)
    names = {name.partition(".")[0] for name in modules} - sys.stdlib_module_names
    assert {name for name in names if not name.startswith(("_", "portico_"))} == LOADED[package]
    assert not modules & NOT_AT_START
