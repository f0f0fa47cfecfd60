"""The comparison with what a release cost."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bench.ratios import FILE, Recorded, of_last_release, record, slower_rows
from bench.target import BenchFailed

NAME = "userinfo, 10,000 people, gateway"
MEMORY = "idle memory of the services"
RECORDED = Recorded("v1", {NAME: 4.0, MEMORY: 0.9})


@pytest.mark.parametrize(("now", "fails"), [(4.39, False), (4.41, True), (1.0, False)])
def test_more_than_a_tenth_above_the_record_fails(now: float, *, fails: bool) -> None:
    """A row that is not recorded has nothing to be compared with."""
    slower = slower_rows(RECORDED, {NAME: now, "new, gateway": 99.0})

    assert slower == ({f"{NAME}: 4.41 times the limit, recorded were 4.00": "userinfo"} if fails else {})


def test_memory_is_compared_beside_at_least_one_operation() -> None:
    """A run over another number of people compares nothing, and must not look as if nothing was slower."""
    assert slower_rows(RECORDED, {NAME: 4.0, MEMORY: 1.0})
    with pytest.raises(BenchFailed):
        slower_rows(RECORDED, {"userinfo, 50 people, gateway": 1.0, MEMORY: 0.9})


def test_record_of_the_last_tag_counts(tmp_path: Path) -> None:
    """What is committed after the release does not move what it is compared with; rows not measured again stay."""

    def git(*words: str) -> None:
        identity = ("-c", "user.name=Bench", "-c", "user.email=bench@example.test")
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    (tmp_path / FILE.parent).mkdir()
    with pytest.raises(BenchFailed):
        of_last_release(tmp_path)
    record(tmp_path / FILE, {NAME: 3.0, MEMORY: 0.9}, "earlier")
    record(tmp_path / FILE, {NAME: 4.0}, "v1")
    assert of_last_release(tmp_path) == RECORDED
    git("add", "-A")
    git("commit", "-qm", "one")
    git("tag", "v9.0.0")
    record(tmp_path / FILE, {NAME: 40.0}, "after")

    assert of_last_release(tmp_path) == RECORDED
