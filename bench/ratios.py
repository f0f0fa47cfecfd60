"""What a release cost in multiples of the limit (`FILE`, which is committed), and the comparison with it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from bench.target import BenchFailed

FILE: Final = Path("bench/ratios.json")
ALLOWED: Final = 1.10  # beyond it a row has become slower; up to it machines and runs differ
_WAY: Final = ", "  # in the names of operations, not in those of memory, which every run has


class Recorded(msgspec.Struct, frozen=True):
    """One record: `commit` as ``git describe`` names it, ratios by `Place`."""

    commit: str
    ratios: dict[str, float]


def slower_rows(recorded: Recorded, ratios: Mapping[str, float]) -> dict[str, str]:
    """The rows of this run that cost more than recorded: their operation by a sentence."""
    common = {name: (recorded.ratios[name], now) for name, now in ratios.items() if name in recorded.ratios}
    if not any(_WAY in name for name in common):  # which must not look like success
        raise BenchFailed("none of the rows that are recorded was measured")
    return {
        f"{name}: {now:.2f} times the limit, recorded were {before:.2f}": name.partition(_WAY)[0]
        for name, (before, now) in common.items()
        if now > before * ALLOWED
    }


def record(path: Path, ratios: Mapping[str, float], commit: str) -> None:
    """Writes a record; rows that were not measured now stay as they were recorded."""
    before = _read(path.read_text()).ratios if path.exists() else {}
    value = Recorded(commit, {**before, **ratios})
    path.write_bytes(msgspec.json.format(msgspec.json.encode(value)) + b"\n")


def of_last_release(root: Path) -> Recorded:
    """The record as the last release tag has it; that of the working tree where the tag has none."""
    tag, file = git(root, "describe", "--tags", "--abbrev=0"), root / FILE
    content = git(root, "show", f"{tag}:{FILE}") if tag else ""
    return _read(content or (file.read_text() if file.exists() else ""))


def git(root: Path, *words: str) -> str:
    """What git prints; empty when it refuses."""
    found = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)  # noqa: S603, S607
    return found.stdout.strip() if found.returncode == 0 else ""


def _read(content: str) -> Recorded:
    try:
        return msgspec.json.decode(content, type=Recorded)
    except msgspec.MsgspecError as error:
        raise BenchFailed(f"{FILE} is missing or cannot be read ({error}): make bench RECORD=1 writes it") from error
