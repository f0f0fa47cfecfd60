"""What the last recorded run cost in multiples of the limit, and its commit, which others are compared with."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from bench.target import BenchFailed

FILE: Final = Path("bench/ratios.json")


class Recorded(msgspec.Struct, frozen=True):
    """One record: `commit` as ``git describe`` names it, ratios by `Place`."""

    commit: str
    ratios: dict[str, float]


def record(path: Path, ratios: Mapping[str, float], commit: str) -> None:
    """Writes a record; rows that were not measured now stay as they were recorded."""
    before = _read(path).ratios if path.exists() else {}
    value = Recorded(commit, {**before, **ratios})
    path.write_bytes(msgspec.json.format(msgspec.json.encode(value)) + b"\n")


def last_release(root: Path) -> str:
    """The last release tag; the recorded commit where there is no tag."""
    return git(root, "describe", "--tags", "--abbrev=0") or _read(root / FILE).commit.removesuffix("-dirty")


def git(root: Path, *words: str) -> str:
    """What git prints; empty when it refuses."""
    found = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)  # noqa: S603, S607
    return found.stdout.strip() if found.returncode == 0 else ""


def _read(path: Path) -> Recorded:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Recorded)
    except (OSError, msgspec.MsgspecError) as error:
        raise BenchFailed(f"{FILE} cannot be read ({error}): make bench RECORD=1 writes it") from error
