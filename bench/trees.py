"""Source trees whose stacks are compared: this one, and a commit in a folder with its own dependencies."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from bench.ratios import git
from bench.target import Accounts, BenchFailed, Target, say

ROOT: Final = Path(__file__).parent.parent
_LOCK: Final = "requirements.lock"
_MEMBERS: Final = ("libs/*", "services/*", "tools/*", "apps/*", "testing/*", "tests-e2e/*", "services/users/*")
_COUNTING: Final = Path(__file__).with_name("counting")
_MAIN: Final = "from portico_cli.cli import main; main()"
_FIRST: Final = "389c14710"
_LINE: Final = 2**27  # bytes; a population is one line


@dataclass(frozen=True, slots=True)
class Tree:
    name: str
    root: Path
    python: Path

    @property
    def population(self) -> Path:
        return self.root / ".portico" / "bench-population"

    def environment(self, calls: Path | None) -> dict[str, str]:
        """Of processes of the tree, which count their calls where a folder is given for the counts."""
        members = sorted(str(path.parent) for one in _MEMBERS for path in self.root.glob(f"{one}/pyproject.toml"))
        counting = [str(_COUNTING)] if calls else []
        found = {**os.environ, "PYTHONPATH": os.pathsep.join([*counting, str(self.root), *members])}
        return {**found, "BENCH_CALLS": str(calls)} if calls else found


class _Served(msgspec.Struct):
    issuer: str
    services: dict[str, str]
    pids: dict[str, list[int]]
    accounts: Accounts


def this_tree() -> Tree:
    return Tree("now", ROOT, Path(sys.executable))


def check_out(commit: str, repository: Path = ROOT) -> Tree:
    """A commit's tree below `.portico/against`, in place of another one; it uses this environment if the lock is equal."""
    found = git(repository, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
    if not found:
        raise BenchFailed(f"there is no commit {commit}")
    root = repository / ".portico" / "against" / found[:12]
    if not root.exists():
        say(f"checking out {commit} to {root}")
        shutil.rmtree(root.parent, ignore_errors=True)
        archive = subprocess.run(["git", "archive", found], cwd=repository, capture_output=True, check=True).stdout  # noqa: S603, S607
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(root, filter="data")
    if (root / _LOCK).read_bytes() == (repository / _LOCK).read_bytes():
        return Tree("before", root, Path(sys.executable))
    python, done = root / ".venv" / "bin" / "python", root / ".venv" / ".installed"
    if not done.exists():
        say("  its dependencies differ from these and are installed")
        base = str(Path(sys.base_prefix) / "bin" / "python3")
        subprocess.run(["scripts/install.sh", base, ".venv"], cwd=root, check=True)  # noqa: S603, S607
        done.touch()
    return Tree("before", root, python)


class Ran(NamedTuple):
    """A command: seconds, CPU seconds, and MiB."""

    seconds: float
    cpu: float
    memory: float


def run_command(tree: Tree, words: Sequence[str], log: Path, settings: Mapping[str, str] | None = None) -> Ran:
    """Runs `portico` of a tree with its output in a file."""
    began, environment = time.perf_counter(), {**tree.environment(None), **(settings or {})}
    with log.open("w") as output:
        process = subprocess.Popen(  # noqa: S603 - its own usage is wanted, which only wait4 gives
            [str(tree.python), "-P", "-c", _MAIN, *words], cwd=tree.root, env=environment, stdout=output, stderr=output
        )
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise BenchFailed(f"portico {' '.join(words)} of {tree.name}: {log.read_text('utf-8')[-500:]}")
    return Ran(time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


@asynccontextmanager
async def tree_running(tree: Tree, people: int, data: Path, calls: Path | None = None) -> AsyncIterator[Target]:
    """Starts the stack of a tree in a process with its packages, by its own program: what it imports has moved since."""
    program = tree.root / "bench" / "tree_stack.py"
    if not program.exists():
        raise BenchFailed(f"{tree.root} is from before {_FIRST}, when trees got a program that serves their stack")
    process = await asyncio.create_subprocess_exec(
        *(str(tree.python), "-P", str(program)),
        *(str(tree.population), str(people), str(data)),
        cwd=tree.root, env=tree.environment(calls), limit=_LINE,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    sent, received = process.stdin, process.stdout
    assert sent is not None  # noqa: S101 - narrows the type
    assert received is not None  # noqa: S101 - narrows the type
    lock = asyncio.Lock()

    async def import_rows(rows: Sequence[str]) -> None:
        async with lock:
            sent.write(json.dumps(list(rows)).encode() + b"\n")
            if problem := (await received.readline()).decode().strip():
                raise BenchFailed(problem)

    try:
        line = await received.readline()
        if not line:
            raise BenchFailed(f"the stack of {tree.root} did not start")
        served = msgspec.json.decode(line, type=_Served)
        yield Target(tree.name, served.issuer, served.accounts, served.pids, served.services, import_rows)
    finally:
        sent.close()
        await process.wait()


def short(path: str, root: Path) -> str:
    """A file's path in the tree, or in the folder of the interpreter it belongs to."""
    return re.sub(rf"^({re.escape(str(root))}/)?(.*/lib/python3\.\d+/)?(site-packages/)?", "", path)
