from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

SCRIPT: Final = Path(__file__).parents[1] / "node_libraries.sh"
FOLDERS: Final = re.findall(r"tests-e2e/[\w/]+", SCRIPT.read_text())
NPM: Final = """#!/bin/sh
echo "$PWD" >> "$ASKED"
mkdir -p node_modules && rm -rf node_modules/* && touch node_modules/new
"""
"""Empties the folder, as `npm ci` does, also behind a link."""


class Checkout:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked = folder / "asked"
        programs = folder / "programs"
        programs.mkdir(parents=True)
        (programs / "npm").write_text(NPM)
        (programs / "npm").chmod(0o700)
        self.environment = {"PATH": f"{programs}:{os.environ['PATH']}", "ASKED": str(self.asked)}
        for name in FOLDERS:
            (folder / name).mkdir(parents=True)
            (folder / name / "package-lock.json").write_text(name)

    def install(self) -> list[str]:
        """Returns the folders that npm filled."""
        self.asked.write_text("")
        subprocess.run((SCRIPT,), cwd=self.folder, env=self.environment, check=True, capture_output=True)
        return [str(Path(one).relative_to(self.folder)) for one in self.asked.read_text().splitlines()]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "checkout")


def test_libraries_are_installed_where_the_lock_changed(checkout: Checkout) -> None:
    """The content of the lock decides; its time, which is that of the checkout, does not."""
    first = checkout.install()
    for name in FOLDERS:
        os.utime(checkout.folder / name / "package-lock.json", (2**32, 2**32))
    again = checkout.install()
    (checkout.folder / FOLDERS[1] / "package-lock.json").write_text("changed")

    assert first == FOLDERS
    assert again == []
    assert checkout.install() == [FOLDERS[1]]


def test_linked_libraries_of_another_checkout_are_left_alone(checkout: Checkout, tmp_path: Path) -> None:
    """A linked folder with the same lock is used; with another lock the link is replaced, and its target is unchanged."""
    other = Checkout(tmp_path / "other")
    other.install()
    for name in FOLDERS:
        (other.folder / name / "node_modules" / "theirs").touch()
        (checkout.folder / name / "node_modules").symlink_to(other.folder / name / "node_modules")
    shared = checkout.install()
    (checkout.folder / FOLDERS[0] / "package-lock.json").write_text("changed")
    changed = checkout.install()

    assert shared == []
    assert changed == [FOLDERS[0]]
    assert not (checkout.folder / FOLDERS[0] / "node_modules").is_symlink()
    assert all((other.folder / name / "node_modules" / "theirs").exists() for name in FOLDERS)
