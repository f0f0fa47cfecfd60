from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from rename_error_id import rename


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose files name USER-011, and one that names USER-0110."""
    for name in ("rule.py", "test_rule.py", "CHANGELOG.md"):
        (tmp_path / name).write_text("raises USER-011 and USER-0110\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    return tmp_path


def test_id_is_renamed_except_in_the_changelog(repository: Path) -> None:
    """The changelog keeps the released id, and a longer id is another one."""
    assert rename(repository, "USER-011", "USER-999") == ["rule.py", "test_rule.py"]
    assert (repository / "rule.py").read_text() == "raises USER-999 and USER-0110\n"
    assert "USER-011 " in (repository / "CHANGELOG.md").read_text()


@pytest.mark.parametrize(("old", "new"), [("USER-011", "USER-0110"), ("USER-404", "USER-999")])
def test_id_in_use_and_unknown_id_are_refused(repository: Path, old: str, new: str) -> None:
    with pytest.raises(ValueError, match="in use"):
        rename(repository, old, new)

    assert "USER-011 " in (repository / "rule.py").read_text()
