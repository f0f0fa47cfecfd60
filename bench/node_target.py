"""node-oidc-provider with Redis, a library that is measured in the same run where Node.js is installed."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import msgspec
from portico_contracts.http import DISCOVERY
from portico_stack.machine import http_probe
from portico_stack.machine.ports import free_port
from portico_stack.machine.private_files import write_private
from portico_stack.processes.programs import Process, Program, StartFailed, without_portico
from portico_stack.servers.redis import RedisServer, acl

from bench.target import PEER, REDIRECT_URI, Accounts, Member, Target, say

_SOURCE: Final = Path(__file__).with_name("node")
_FILES: Final = ("package.json", "package-lock.json", "server.mjs")
_SESSIONS: Final = 600  # a run may lose 32 refresh tokens, which are only issued to these at the start
_USER: Final = "bench"


class NotThere(Exception):
    """The peer cannot be measured; the text is the reason."""


class _RedisWithTransactions(RedisServer):
    def write_configuration(self) -> Path:
        written = super().write_configuration()
        write_private(self.data / "users.acl", f"{acl(self.passwords).rstrip()} +@transaction\n")
        return written


def install(folder: Path) -> Path:
    """Installs it by its lock, where that is not the installed one; returns the program."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise NotThere(f"{program} is not installed")
    installed = folder / "node_modules" / ".package-lock.json"
    lock = folder / _FILES[1]
    new = not installed.exists() or lock.read_bytes() != (_SOURCE / lock.name).read_bytes()
    folder.mkdir(parents=True, exist_ok=True)
    for name in _FILES:
        shutil.copyfile(_SOURCE / name, folder / name)
    if new:
        say(f"installing {PEER} in {folder}")
        npm = ["npm", "ci", "--silent", "--ignore-scripts"]
        if subprocess.run(npm, cwd=folder, check=False).returncode:  # noqa: S603
            shutil.rmtree(folder / "node_modules", ignore_errors=True)
            raise NotThere("npm ci failed")
    return folder.absolute() / _FILES[2]


@asynccontextmanager
async def node_running(folder: Path, data: Path) -> AsyncIterator[Target]:
    """Starts it from the folder it is installed in, with its own Redis below another one. Raises NotThere."""
    server = await asyncio.to_thread(install, folder)
    secret, port, members = f"p{secrets.token_hex(20)}", free_port(), data / "members.json"
    issuer = f"http://127.0.0.1:{port}"
    redis = _RedisWithTransactions(data / "redis", free_port(), {_USER: secret})
    environment = {
        **without_portico(os.environ),
        "NODE_ENV": "production",
        "ISSUER": issuer,
        "SECRET": secret,
        "REDIRECT_URI": REDIRECT_URI,
        "REDIS_URL": redis.url,
        "REDIS_USER": _USER,
        "MEMBERS": str(members),
        "SESSIONS": str(_SESSIONS),
    }

    async def ready() -> None:
        if (await http_probe.get(port, DISCOVERY)).status != 200:
            raise ConnectionError("no discovery document")

    program = Program("node", ("node", str(server)), ready, environment)
    processes = [Process(one, data / "logs", say) for one in (redis.program(), program)]
    try:
        try:
            for process in processes:
                await process.start()
        except StartFailed as failure:
            raise NotThere(str(failure)) from failure
        clients = {f"node-{kind}": secret for kind in ("opaque", "RS256")}
        signed_in = msgspec.json.decode(members.read_bytes(), type=list[Member])
        # Only the first client has a grant in each session.
        accounts = Accounts({"node-opaque": secret}, clients, signed_in)
        pids = {one.program.name: [one.pid] for one in processes if one.pid}
        yield Target(PEER, issuer, accounts, pids, compiles=True)
    finally:
        for process in reversed(processes):
            await process.stop(3)
