"""Assigns tests to pytest-xdist workers: by file, or by shared costly fixture.

pytest-xdist's own ``--dist loadgroup`` with ``xdist_group`` has no effect with pytest 9.2, whose node ids
cannot be changed.
"""

from __future__ import annotations

import re
import zlib
from functools import cache
from pathlib import Path
from typing import Final

from xdist.scheduler import LoadScopeScheduling

END_TO_END: Final = "tests-e2e/"

_STACKS: Final = (
    ("doubled", re.compile(r"\b(doubled: World|everywhere: Everywhere)\b")),
    ("federated", re.compile(r"\bfederated: Federated\b")),
    ("secure", re.compile(r"\bsecure: World\b")),
    ("world", re.compile(r"\b(world: World|admin: Administrator|attacker: Attacker)\b")),
)

_WORLDS: Final = 2
"""Number of groups for the files using ``world``, each with a stack; a single group would dominate the run time."""

_NAMED: Final = re.compile(r'xdist_group\("([^"]+)"\)')


class Groups(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return _group_below(self.config.rootpath, nodeid.partition("::")[0])

    def _pending_of(self, workload: dict[str, dict[str, bool]]) -> int:
        """Counts from the end, because a worker runs its groups in order; it is asked after each test."""
        pending = 0
        for group in reversed(workload.values()):
            waiting = list(group.values()).count(False)
            if not waiting:
                break
            pending += waiting
        return pending


def leaves_stack(file: Path, following: Path, root: Path) -> bool:
    """Reports whether `file` is end-to-end and the following one belongs to another group."""
    name, other = (str(one.relative_to(root)) for one in (file, following))
    return name.startswith(END_TO_END) and group_of(name, _text_of(file)) != group_of(other, _text_of(following))


def group_of(file: str, text: str) -> str:
    """Returns the group of a test file.

    Args:
        file: path below the root of the repository.
        text: its content.
    """
    if named := _NAMED.search(text):
        return named[1]
    if not file.startswith(END_TO_END):
        return file
    stack = next((name for name, argument in _STACKS if argument.search(text)), file)
    return f"world {zlib.crc32(file.encode()) % _WORLDS}" if stack == "world" else stack


@cache
def _group_below(root: Path, file: str) -> str:
    return group_of(file, _text_of(root / file))


@cache
def _text_of(file: Path) -> str:
    return file.read_text()
