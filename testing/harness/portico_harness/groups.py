"""Which tests run in one worker: those of a file, or of files that share something costly; pytest-xdist asks.

The groups of pytest-xdist itself (`--dist loadgroup` with its marker ``xdist_group``) have no effect with pytest 9.2,
whose node ids cannot be changed any more.
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
    ("doubled", re.compile(r"\b(doubled|everywhere): ")),
    ("federated", re.compile(r"\bfederated: ")),
    ("world", re.compile(r"\b(world|admin|attacker): ")),
)
"""The stacks that live for the whole run, and the arguments of tests that use them."""

_WORLDS: Final = 2
"""How many groups share out the files of ``world``, each with a stack: one group would take as long as all others."""

_NAMED: Final = re.compile(r'xdist_group\("([^"]+)"\)')


class Groups(LoadScopeScheduling):
    """A scheduler for which every group is a scope."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return group_of(file, _text_of(self.config.rootpath / file))


def group_of(file: str, text: str) -> str:
    """The group of a file with tests.

    Args:
        file: its path below the root of the repository.
        text: what it holds.
    """
    if named := _NAMED.search(text):
        return named[1]
    if not file.startswith(END_TO_END):
        return file
    stack = next((name for name, argument in _STACKS if argument.search(text)), file)
    return f"world {zlib.crc32(file.encode()) % _WORLDS}" if stack == "world" else stack


@cache
def _text_of(file: Path) -> str:
    return file.read_text()
