"""Serves the stack of another source tree. Run by `bench.trees` with that tree's packages, of which it uses few.

Arguments: folder of the population, people, data folder. Prints the target as a line of JSON. Each line of input is a
batch to import, answered by an empty line or the error. The stack stops at the end of the input.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from portico_stack.assembly.replicas import Replicas

from bench import stack_target


def _stack(folder: Path, people: int, data: Path) -> AbstractAsyncContextManager[Any]:
    running: Callable[..., AbstractAsyncContextManager[Any]] = stack_target.stack_running
    wish = getattr(stack_target, "StackWish", None)  # until 2026-11-25
    return running(wish(folder, people), data, _say) if wish else running(folder, people, Replicas(), data)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _accounts(target: Any) -> dict[str, Any]:
    found = getattr(target, "accounts", None)
    if found is None:  # until 2026-11-25
        cast = target.cast
        clients, robots = ({one.client_id: one.secret for one in some} for some in (cast.clients, cast.robots))
        passwords = {one.login_name: one.password for one in cast.people}
        more = {"redirect_uri": cast.clients[0].redirect_uri, "auth_method": "client_secret_basic"}
        return {"clients": clients, "robots": robots, "members": _members(cast), "passwords": passwords, **more}
    names = ("clients", "robots", "passwords", "redirect_uri", "auth_method")
    return {**{name: getattr(found, name) for name in names}, "members": _members(found)}


def _members(holder: Any) -> list[dict[str, Any]]:
    return [{name: getattr(one, name) for name in ("cookie", "tokens", "refresh_token")} for one in holder.members]


async def _serve(folder: str, people: str, data: str) -> None:
    # Whatever else prints must not mix with the lines of the protocol.
    with os.fdopen(os.dup(1), "w") as output:
        os.dup2(2, 1)
        async with _stack(Path(folder), int(people), Path(data)) as target:
            found = {"name": target.name, "issuer": target.issuer, "services": target.services, "pids": target.pids}
            output.write(f"{json.dumps({**found, 'accounts': _accounts(target)})}\n")
            output.flush()
            while line := await asyncio.to_thread(sys.stdin.readline):
                problem = ""
                try:
                    await target.import_rows(json.loads(line))
                except Exception as error:  # the other side raises it
                    problem = f"{type(error).__name__}: {error}".replace("\n", " ")
                output.write(f"{problem}\n")
                output.flush()


if __name__ == "__main__":
    asyncio.run(_serve(*sys.argv[1:]))
