"""The printed FastAPI program refuses each token that differs from a valid one in one point."""

from __future__ import annotations

import importlib.util
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from portico_snippets import Api, find_api_framework, render_api

ISSUER = "https://id.example.test"
RESOURCE = "https://orders.example.test"
ORDERS = Api(ISSUER, "orders-1", "client_secret_basic", (RESOURCE,), ("orders.read", "orders.write"))
KEY, OTHER_KEY = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
CLAIMS = {"iss": ISSUER, "aud": ["shop", RESOURCE], "sub": "ada", "client_id": "shop", "scope": "openid orders.read"}


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.setenv("CLIENT_SECRET", "secret")
    file = tmp_path / "api.py"
    file.write_text(render_api(find_api_framework("fastapi"), ORDERS).files["api.py"], encoding="utf-8")
    spec = importlib.util.spec_from_file_location("printed_api", file)
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    published = jwt.PyJWK.from_json(jwt.algorithms.OKPAlgorithm.to_jwk(KEY.public_key()), "EdDSA")
    module.published_keys = lambda: SimpleNamespace(get_signing_key_from_jwt=lambda _token: published)
    module.metadata = lambda: {"introspection_endpoint": f"{ISSUER}/introspect"}
    return module


async def call(program: Any, token: str, method: str = "GET") -> tuple[int, str]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(program.app), base_url=RESOURCE) as http:
        answer = await http.request(method, "/items", headers={"Authorization": f"Bearer {token}"})
    return answer.status_code, answer.headers.get("www-authenticate", answer.text)


def signed(typ: str = "at+jwt", key: Ed25519PrivateKey = KEY, lifetime: int = 60, **claims: Any) -> str:
    content = {"exp": int(time.time()) + lifetime, **CLAIMS, **claims}
    return jwt.encode({name: value for name, value in content.items() if value}, key, "EdDSA", {"typ": typ})


async def test_valid_token_is_accepted(program: Any) -> None:
    assert await call(program, signed()) == (200, '{"sub":"ada","client_id":"shop"}')


@pytest.mark.parametrize(
    "changes",
    [
        {"typ": "JWT"},
        {"key": OTHER_KEY},
        {"lifetime": -60},
        {"iss": "https://id.example"},
        {"aud": ["shop", "orders-1"]},
        {"scope": ""},
    ],
)
async def test_different_token_is_refused(program: Any, changes: dict[str, Any]) -> None:
    """An id_token, another key, expiry, another issuer, another audience, no scope."""
    assert await call(program, signed(**changes)) == (401, 'Bearer error="invalid_token"')


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (httpx.Response(200, json={"active": True, **CLAIMS}), (200, '{"sub":"ada","client_id":"shop"}')),
        (httpx.Response(200, json={"active": True, **CLAIMS, "aud": ["orders-1"]}), (401, 'Bearer error="invalid_token"')),
        (httpx.Response(200, json={"active": False}), (401, 'Bearer error="invalid_token"')),
        (httpx.Response(503), (503, '{"detail":"Access tokens cannot be checked at the moment."}')),
    ],
)  # fmt: skip
async def test_opaque_token_is_introspected(program: Any, answer: httpx.Response, expected: tuple[int, str]) -> None:
    """The API's credentials are sent, and an outage of Portico does not make the token invalid."""
    sent = []

    def introspect(request: httpx.Request) -> httpx.Response:
        sent.append((request.headers["authorization"], request.content))
        return answer

    program.portico = httpx.Client(transport=httpx.MockTransport(introspect))

    assert await call(program, "opaque") == expected
    assert sent == [("Basic b3JkZXJzLTE6c2VjcmV0", b"token=opaque")]


@pytest.mark.parametrize(
    ("signed_in", "step_up", "expected"),
    [
        ({}, {}, 200),
        ({"acr": "phr"}, {"acr_values": "phr phrh"}, 200),
        ({"acr": "urn:portico:acr:pwd"}, {"acr_values": "phr phrh"}, ', acr_values="phr phrh"'),
        ({}, {"acr_values": "phr"}, ', acr_values="phr"'),
        ({"auth_time": -299}, {"max_age": 300}, 200),
        ({"auth_time": -301}, {"max_age": 300}, ', max_age="300"'),
        ({}, {"max_age": 300}, ', max_age="300"'),
    ],
)
async def test_sign_in_is_challenged(
    program: Any,
    monkeypatch: pytest.MonkeyPatch,
    signed_in: dict[str, Any],
    step_up: dict[str, Any],
    expected: int | str,
) -> None:
    """What a route requires of the sign-in is stated to the application (RFC 9470 section 3)."""
    now = time.time()
    monkeypatch.setattr(program.time, "time", lambda: now)
    if "auth_time" in signed_in:
        signed_in = {"auth_time": int(now) + signed_in["auth_time"]}
    program.STEP_UP.update(step_up)
    status, challenge = await call(program, signed(scope="orders.write", **signed_in), "POST")

    if expected == 200:
        assert status == expected
    else:
        assert (status, challenge) == (401, f'Bearer error="insufficient_user_authentication"{expected}')
