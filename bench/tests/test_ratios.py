"""What releases are compared with."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bench.ratios import FILE, last_release, record
from bench.target import BenchFailed


def test_last_tag_is_compared_with_or_the_recorded_commit_without_one(tmp_path: Path) -> None:
    """Rows that were not measured again remain in the record."""

    def git(*words: str) -> None:
        identity = ("-c", "user.name=Bench", "-c", "user.email=bench@example.test")
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    (tmp_path / FILE.parent).mkdir()
    with pytest.raises(BenchFailed):
        last_release(tmp_path)
    record(tmp_path / FILE, {"userinfo": 3.0, "refresh": 0.9}, "earlier")
    record(tmp_path / FILE, {"userinfo": 4.0}, "abc1234-dirty")
    assert last_release(tmp_path) == "abc1234"
    assert '"refresh": 0.9' in (tmp_path / FILE).read_text()
    git("add", "-A")
    git("commit", "-qm", "one")
    git("tag", "v9.0.0")

    assert last_release(tmp_path) == "v9.0.0"
