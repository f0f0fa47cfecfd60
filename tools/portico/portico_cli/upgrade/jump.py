from __future__ import annotations

import re
from typing import Final

from portico_runtime.doctor.finding import Finding

RELEASES: Final = 2
"""An upgrade skips at most one release: it is tested from the two releases before this one."""

_NUMBERS: Final = re.compile(r"(\d+)\.(\d+)\.(\d+)")


def check_jump(stored: str, ours: str, made: str) -> Finding:
    """Compares the release that made a backup with this one; `made` is the time of the backup."""
    text = f"a backup of {made} by release {stored}; this is release {ours}"
    before, now = _NUMBERS.match(stored), _NUMBERS.match(ours)
    if not before or not now:
        return Finding("release", "warning", f"{text}: the releases cannot be compared")
    (major, minor), (our_major, our_minor) = ((int(one[1]), int(one[2])) for one in (before, now))
    if (major, minor) > (our_major, our_minor):
        fix = f"Check it with release {stored} or newer."
        return Finding("release", "wrong", f"{text}: a release does not read the data of a newer one", fix)
    if major != our_major or our_minor - minor > RELEASES:
        fix = f"Upgrade to a release in between first. Upgrades are tested from the {RELEASES} releases before."
        return Finding("release", "warning", text, fix)
    return Finding("release", "ok", text)
