"""The passwords too many people have. Source and licence: `common-passwords.md` beside this file."""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files
from typing import Final

from portico_users.kernel.names import canonical

_FILE: Final = "common-passwords.txt.gz"


@cache
def common_passwords() -> frozenset[str]:
    """All of them, in canonical form: case and width make no password better (LG-24).

    Read when the first password is set (about 15 ms), and kept: 1.6 MB.
    """
    with files(__package__).joinpath(_FILE).open("rb") as file, gzip.open(file, "rt", encoding="utf-8") as lines:
        return frozenset(canonical(line.rstrip("\n")) for line in lines)
