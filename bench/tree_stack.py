"""Serves the stack of this source tree to `bench.trees`, also of a later commit: the lines below stay as they are.

Arguments: folder of the population, people, data folder. Prints the target as a line of JSON. Each line of input is a
batch to import, answered by an empty line or the error. The stack stops at the end of the input.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import msgspec
from portico_stack.assembly.replicas import Replicas

from bench.stack_target import stack_running


async def _serve(folder: str, people: str, data: str) -> None:
    # Whatever else prints must not mix with the lines of the protocol.
    with os.fdopen(os.dup(1), "w") as output:
        os.dup2(2, 1)
        async with stack_running(Path(folder), int(people), Replicas(), Path(data)) as target:
            found = {"issuer": target.issuer, "services": target.services, "pids": target.pids}
            output.write(f"{msgspec.json.encode({**found, 'accounts': target.accounts}).decode()}\n")
            output.flush()
            importer = target.import_rows
            assert importer  # noqa: S101 - narrows the type
            while line := await asyncio.to_thread(sys.stdin.readline):
                problem = ""
                try:
                    await importer(json.loads(line))
                except Exception as error:  # the other side raises it
                    problem = f"{type(error).__name__}: {error}".replace("\n", " ")
                output.write(f"{problem}\n")
                output.flush()


if __name__ == "__main__":
    asyncio.run(_serve(*sys.argv[1:]))
