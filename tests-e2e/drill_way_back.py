"""The two releases before, upgraded to this one and rolled back, on data that they stored (`make upgrade`).

Each is checked out and installed. ``portico up`` of one release after the other runs on one data directory.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from portico_harness.eventually import HANGS
from portico_harness.portico_command import PORTICO
from portico_harness.redis_before import go_back
from portico_scenarios.last_release import LastRelease
from portico_scenarios.stored_data import FOLDER
from portico_stack.processes.programs import without_portico

pytestmark = pytest.mark.e2e

BEFORE: Final = ("0.2.0", "0.3.0")
"""Releases, whose way back is open after `portico migrate`, too."""


class Release(NamedTuple):
    """A release on a data directory."""

    command: Path
    data: Path

    def run(self, *arguments: str | Path) -> tuple[int, str]:
        done = subprocess.run(
            (self.command, *arguments, "--data", self.data),
            env=without_portico(os.environ),
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    @contextmanager
    def up(self) -> Iterator[None]:
        """Runs the release until the block ends; it begins once every service is ready and has its demo data."""
        file = self.data.parent / "up.log"
        with file.open("wb") as log:
            command = (self.command, "up", "--port", "0", "--data", self.data)
            process = subprocess.Popen(command, env=without_portico(os.environ), stdout=log, stderr=log)
            try:
                until = time.monotonic() + 3 * HANGS
                while "Portico is ready" not in file.read_text():
                    assert process.poll() is None, file.read_text()[-2_000:]
                    assert time.monotonic() < until, file.read_text()[-2_000:]
                    time.sleep(0.5)  # allow fixed-wait: between two questions
                yield
            finally:
                process.send_signal(signal.SIGINT)
                process.wait(HANGS)

    def apply(self, document: Path) -> None:
        status, output = self.run("apply", document)
        assert status == 0, output

    def stores(self, document: Path) -> bool:
        """Reports whether the document would change nothing."""
        status, output = self.run("apply", document, "--check")
        assert status in (0, 3), output
        return "6 unchanged" in output


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    file = tmp_path / "changed.yaml"
    text = (FOLDER / "document.yaml").read_text()
    file.write_text(text.replace("ada@acme", "ada.byron@acme").replace("name: Acme\n", "name: Acme Two\n"))
    return file


@pytest.mark.parametrize("version", BEFORE)
def test_way_back(version: str, tmp_path: Path, changed: Path) -> None:
    """Records that one release stored or changed are there for the other one, on the way up, back and up again."""
    before = LastRelease.check_out(version, tmp_path / "release").folder / ".venv" / "bin" / "portico"
    old, new = Release(before, tmp_path / ".portico"), Release(PORTICO, tmp_path / ".portico")
    document = FOLDER / "document.yaml"
    with old.up():
        old.apply(document)
        status, output = new.run("upgrade", "check")
        assert (status, "wrong" in output) == (0, False), output
    with new.up():
        assert new.stores(document)
        new.apply(changed)
        assert new.run("migrate")[0] == 0
    go_back(tmp_path)
    with old.up():
        assert old.stores(changed)
        old.apply(document)
    with new.up():
        assert new.stores(document)
        assert new.run("migrate")[0] == 0
        assert new.run("migrate", "--dry-run")[0] == 0
