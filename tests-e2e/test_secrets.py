"""Secrets do not leak into logs, command lines or readable files."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from portico_harness.eventually import eventually
from portico_harness.portico_command import processes_of
from portico_scenarios.participants import ALICE, CAROL
from portico_scenarios.relying_party import begin, userinfo
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e

WRONG_PASSWORD = "a canary that sings 4711"


def _texts(directory: Path) -> dict[str, str]:
    return {path.name: path.read_text(errors="replace") for path in directory.iterdir() if path.is_file()}


def _arguments(data: Path) -> dict[str, str]:
    """Returns the command lines of the stack's processes, which every user of the machine can read."""
    return {f"process {pid}": process.command for pid, process in processes_of(data).items()}


async def _leave_traces(world: World) -> dict[str, str]:
    begun = begin(world.metadata, world.clients["jwt"])
    async with world.agent() as agent:
        await agent.sign_in(begun.url, CAROL.login_name, WRONG_PASSWORD)
        await agent.press("login-restart")
        await agent.press("loginname-submit", loginname=ALICE.login_name)
        code = code_in(await agent.press("password-submit", password=ALICE.password))
        handle = next(cookie.value or "" for cookie in agent.http.cookies.jar)
    refused = await world.redeem("jwt", code, code_verifier="x" * 43)
    tokens = (await world.redeem("jwt", code, code_verifier=begun.verifier)).json()
    again = await world.redeem("jwt", code, code_verifier=begun.verifier)
    ended = await userinfo(world.http, world.metadata, tokens["access_token"])
    assert [refused.status_code, again.status_code, ended.status_code] == [400, 400, 401]
    installation = world.stack.installation
    return {
        "password": ALICE.password,
        "wrong password": WRONG_PASSWORD,
        "code": code,
        "verifier": begun.verifier,
        "handle": handle,
        "access token": tokens["access_token"].rpartition(".")[2],
        "id token": tokens["id_token"].rpartition(".")[2],
        "client secret": world.clients["jwt"].secret,
        "administrator": installation.admin_password,
        **{f"master key of {name}": key for name, key in installation.sealing_keys.items()},
        "login API key": installation.login_api_key,
        **installation.bus_passwords,
        **{f"redis {user}": password for user, password in installation.redis_passwords.items()},
        **{f"mongo {user}": password for user, password in installation.mongo_passwords.items()},
    }


async def test_logs_and_arguments_contain_no_secrets(world: World) -> None:
    """Passwords, codes, tokens, handles and keys are in no log and in no command line (IN-09)."""
    secrets = await _leave_traces(world)
    marker = await world.redeem("jwt", "no-code-at-all")
    request_id = marker.headers["x-request-id"]

    async def logs() -> dict[str, str]:
        return await asyncio.to_thread(_texts, world.stack.logs)

    # Logs are written asynchronously; once the last request is logged, all earlier ones are.
    written = await eventually(logs, lambda texts: request_id in texts["token.log"])
    places = {**written, **_arguments(world.stack.options.data)}
    leaks = [
        f"{what} in {where}" for where, text in places.items() for what, secret in secrets.items() if secret in text
    ]

    assert len(places) > len(written) > 5
    assert leaks == []


async def test_files_with_secrets_are_private(world: World) -> None:
    """Files with secrets below the data directory are readable by their owner only."""
    installation = world.stack.installation
    secrets = (*installation.sealing_keys.values(), installation.login_api_key)
    data = world.stack.options.data
    holding = [
        path
        for path in data.rglob("*")
        if path.is_file() and any(secret.encode() in path.read_bytes() for secret in secrets)
    ]  # fmt: skip

    assert holding
    assert [path for path in (data, *holding) if path.stat().st_mode & 0o077] == []
