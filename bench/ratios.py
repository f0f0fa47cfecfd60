"""What a release cost, as multiples of the limit, and the comparison with it.

The multiples of a release are committed (``bench/ratios.json``, written by ``make bench RECORD=1``). They hardly
depend on the machine, so that a later run, on another one, is compared with them.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

_WAY: Final = ", "
"""In the names of operations; memory, which every run has, is none."""

FILE: Final = Path("bench/ratios.json")
ALLOWED: Final = 0.10
"""How much more than recorded counts as measuring; beyond it something has become slower."""


class NothingToCompare(RuntimeError):
    """There is no record, or none of its rows was measured."""


class Recorded(msgspec.Struct, frozen=True):
    """One record.

    Attributes:
        source: the tag it was read at; empty for that of the working tree.
        commit: what was measured, as ``git describe`` names it.
        ratios: by row, see `bench.report.name_of`.
    """

    commit: str
    ratios: dict[str, float]
    source: str = ""


class Slower(msgspec.Struct, frozen=True):
    """A row that costs more than is allowed."""

    name: str
    before: float
    now: float

    @property
    def operation(self) -> str:
        """The operation of the row."""
        return self.name.partition(_WAY)[0]

    def __str__(self) -> str:
        """For the end of a run."""
        more = 100 * (self.now - self.before) / self.before
        return f"{self.name}: {self.now:.2f} times the limit, recorded were {self.before:.2f}: {more:.0f} % more"


def slower_rows(recorded: Recorded, ratios: Mapping[str, float]) -> list[Slower]:
    """The rows of this run that cost more than recorded.

    Raises:
        NothingToCompare: when no row is in both, for that must not look like success.
    """
    common = {name: now for name, now in ratios.items() if name in recorded.ratios}
    if not any(_WAY in name for name in common):
        raise NothingToCompare("none of the rows that are recorded was measured")
    rows = (Slower(name, recorded.ratios[name], now) for name, now in common.items())
    return [row for row in rows if row.now > row.before * (1 + ALLOWED)]


def record(path: Path, ratios: Mapping[str, float], commit: str) -> None:
    """Writes a record; rows that were not measured now stay as they were recorded."""
    before = read(path.read_bytes()).ratios if path.exists() else {}
    value = {"commit": commit, "ratios": {**before, **ratios}}
    path.write_bytes(msgspec.json.format(msgspec.json.encode(value)) + b"\n")


def read(content: bytes) -> Recorded:
    """Reads a record.

    Raises:
        NothingToCompare: when it is none.
    """
    try:
        return msgspec.json.decode(content, type=Recorded)
    except msgspec.MsgspecError as error:
        raise NothingToCompare(f"the record of ratios cannot be read: {error}") from error


def of_last_release(root: Path) -> Recorded:
    """The record as the last release tag has it; that of the working tree where the tag has none.

    Raises:
        NothingToCompare: when there is none at all.
    """
    tag = _git(root, "describe", "--tags", "--abbrev=0")
    content = _git(root, "show", f"{tag}:{FILE}") if tag else ""
    if content:
        return msgspec.structs.replace(read(content.encode()), source=tag)
    if not (root / FILE).exists():
        raise NothingToCompare(f"there is no {FILE}, neither at the last tag nor here: make bench RECORD=1 writes it")
    return read((root / FILE).read_bytes())


def present_commit(root: Path) -> str:
    """What is measured, by its last tag and commit; empty outside a repository."""
    return _git(root, "describe", "--tags", "--always", "--dirty")


def _git(root: Path, *words: str) -> str:
    try:
        found = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)  # noqa: S603, S607
    except OSError:
        return ""
    return found.stdout.strip() if found.returncode == 0 else ""
