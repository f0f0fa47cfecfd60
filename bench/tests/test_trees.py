"""Trees of other commits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.target import BenchFailed
from bench.trees import check_out


def test_commit_is_checked_out_with_its_own_packages_first(tmp_path: Path) -> None:
    """With an equal lock it uses this environment, in which its packages come before those of this tree."""

    def git(*words: str) -> None:
        identity = ("-c", "user.name=Bench", "-c", "user.email=bench@example.test")
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    for file in ("requirements.lock", "libs/oauth/pyproject.toml"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("before")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "one")
    (tmp_path / "libs/oauth/pyproject.toml").write_text("now")

    tree = check_out("HEAD", tmp_path)

    assert (tree.root / "libs/oauth/pyproject.toml").read_text() == "before"
    assert tree.python == Path(sys.executable)
    assert tree.environment(None)["PYTHONPATH"].split(os.pathsep) == [str(tree.root), str(tree.root / "libs/oauth")]
    with pytest.raises(BenchFailed, match="no commit nothing"):
        check_out("nothing", tmp_path)
