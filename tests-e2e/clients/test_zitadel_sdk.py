"""ZITADEL's own SDKs call Portico, unmodified (decision 0105)."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
from portico_scenarios.administrator import Administrator, administrator_of
from portico_scenarios.intents import page_opened
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions

pytestmark = [pytest.mark.e2e, pytest.mark.long]

HERE: Final = Path(__file__).parent
CALLS: Final = {
    method.lower(): call["result"]
    for methods in json.loads((HERE / "zitadel_calls.json").read_text()).values()
    for method, call in methods.items()
}
"""The expected result of each method; docs/generated/zitadel-calls.md shows them."""

NOT_IN_TYPESCRIPT: Final = {"generaterecoverycodes", "removerecoverycodes"}
"""Methods of newer SDKs."""


@pytest.fixture(scope="module")
async def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the SDK: its libraries must not replace those of the other tests."""
    folder = tmp_path_factory.mktemp("zitadel")
    uv = Path(sys.executable).parent / "uv"
    lock = ("--require-hashes", "-r", str(HERE / "zitadel_python/requirements.lock"))
    for command in (
        ("venv", "-q", "--python", sys.executable, str(folder)),
        ("pip", "install", "-q", "--python", str(folder), *lock),
    ):
        process = await asyncio.create_subprocess_exec(str(uv), *command)
        assert await process.wait() == 0
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
async def administrator(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Administrator]:
    own_pages = {"authz": {"PORTICO_OWN_LOGIN_URL": "https://login.example"}}
    options = StackOptions(tmp_path_factory.mktemp("stack"), port=0, zitadel_names=True, extra_env=own_pages)
    async with started(options) as world:
        yield await administrator_of(world)


@pytest.fixture
async def key_file(administrator: Administrator, tmp_path: Path) -> Path:
    """The key of a new owner of the instance, as the SDKs read it."""
    service = "portico.user.v2.UserService"
    made = await administrator.json(
        f"{service}.AddKey", {"userId": f"admin-{administrator.tag}"}, path=_keys(administrator)
    )
    assert made.code == 0, made.body
    path = tmp_path / "key.json"
    path.write_bytes(base64.b64decode(made.body["keyContent"]))
    return path


def _keys(administrator: Administrator) -> str:
    return f"/v2/users/admin-{administrator.tag}/keys"


async def _results(*command: str | Path) -> dict[str, str]:
    process = await asyncio.create_subprocess_exec(
        *map(str, command), cwd=HERE, stdout=asyncio.subprocess.PIPE, env={"PATH": os.environ["PATH"]}
    )
    printed, _ = await process.communicate()
    assert process.returncode == 0
    return {method.replace("_", "").lower(): result for method, result in json.loads(printed).items()}


async def _request_of(world: World) -> str:
    """The id of a new authorization request, as own login pages get it."""
    begun = begin(world.metadata, world.clients["basic"])
    page, query = page_opened(await world.http.get(begun.url))
    assert page == "https://login.example/login"
    return query["authRequest"]


async def test_python_sdk(administrator: Administrator, python: Path, key_file: Path) -> None:
    """The SDK calls with a key file, a secret and a personal access token, which it gets by calls."""
    issuer = administrator.world.issuer
    request_id = await _request_of(administrator.world)
    program = "zitadel_python/zitadel_calls.py"
    results = await _results(python, program, issuer, administrator.org_id, key_file, request_id)

    assert results == CALLS


@pytest.mark.parametrize("protocol", ["grpc", "grpc-web"])
async def test_typescript_sdk(administrator: Administrator, protocol: str) -> None:
    """From Node.js by gRPC, as from browsers by gRPC-web."""
    token, program = administrator.token, HERE.parent / "api_libraries/zitadel_calls.mjs"
    world = administrator.world
    request_id = await _request_of(world)
    results = await _results("node", program, world.issuer, administrator.org_id, token, protocol, request_id)

    assert results == {method: result for method, result in CALLS.items() if method not in NOT_IN_TYPESCRIPT}
