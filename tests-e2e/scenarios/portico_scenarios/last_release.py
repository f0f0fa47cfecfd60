"""The services of the last release, from its commit, in an environment of its lock file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from portico_runtime.settings.loading import known_names
from portico_stack.processes.programs import Process, Program, without_portico

ROOT: Final = Path(__file__).parents[3]

COMMITS: Final = {
    "0.2.0": "2e28733f4824bce120a1b584e2d7e51cffea55f1",
    "0.3.0": "4178534bdcae3cdfba967fe52de0f8f5d4a1fa2f",
}
"""Of releases without a tag."""


class ReleaseMissing(RuntimeError):
    """The commit is not in this clone and cannot be fetched; the message explains what to do."""


def newest_release() -> str:
    """Returns the version of the newest file in docs/releases."""
    versions = [file.stem for file in (ROOT / "docs" / "releases").glob("*.json")]
    return max(versions, key=lambda version: [int(part) for part in version.split(".")])


@dataclass(frozen=True, slots=True)
class LastRelease:
    """A release that can be started.

    Args:
        folder: its checkout, with the environment in ``.venv``.
        replaced: by name, the programs of this release that it replaces.
    """

    version: str
    folder: Path
    replaced: dict[str, Program] = field(default_factory=dict)

    @classmethod
    def check_out(cls, version: str, folder: Path) -> LastRelease:
        """Checks out a release and installs its lock file.

        Raises:
            ReleaseMissing: the commit is missing.
            CalledProcessError: its packages cannot be installed.
        """
        archive = folder.with_suffix(".tar")
        _git("archive", "--output", str(archive), _commit_of(version))
        folder.mkdir(parents=True)
        subprocess.run(("tar", "-xf", archive, "-C", folder), check=True)
        archive.unlink()
        python = Path(sys.base_prefix) / "bin" / "python3"
        environment = without_portico(os.environ)
        subprocess.run(("scripts/install.sh", python, ".venv"), cwd=folder, check=True, env=environment)
        return cls(version, folder)

    def put_in(self, processes: Iterable[Process]) -> None:
        """Makes stopped processes run this release from their next start on, with the settings that it knows."""
        known = json.loads((ROOT / "docs" / "releases" / f"{self.version}.json").read_text())["settings"]
        new = known_names().difference(known)
        for process in processes:
            program = self.replaced[process.program.name] = process.program
            argv = (str(self.folder / ".venv" / "bin" / "python"), *program.argv[1:])
            env = {name: value for name, value in program.env.items() if name not in new}
            process.program = replace(program, argv=argv, env=env)

    def take_out(self, processes: Iterable[Process]) -> None:
        """Makes stopped processes run the release of this tree again."""
        for process in processes:
            process.program = self.replaced.pop(process.program.name)


def _commit_of(version: str) -> str:
    """Returns the commit of the tag or the one listed here; fetches it in a shallow clone.

    Raises:
        ReleaseMissing: it cannot be fetched.
    """
    tag = f"v{version}"
    for name in (tag, COMMITS.get(version, "")):
        if name and _has(name):
            return name
        if name and _git("fetch", "--quiet", "--depth=1", "origin", name, check=False) and _has("FETCH_HEAD"):
            return _git("rev-parse", "FETCH_HEAD", check=True)
    raise ReleaseMissing(f"release {version} is not in this clone: git fetch --tags --unshallow")


def _has(name: str) -> bool:
    return subprocess.run(
        ("git", "cat-file", "-e", f"{name}^{{commit}}"), cwd=ROOT, check=False, capture_output=True
    ).returncode == 0  # fmt: skip


def _git(*arguments: str, check: bool = True) -> str:
    """Returns git's output; empty on an allowed failure."""
    done = subprocess.run(("git", *arguments), cwd=ROOT, check=check, capture_output=True, text=True)
    return (done.stdout.strip() or "done") if done.returncode == 0 else ""
