"""Files that only their owner may read."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from portico_stack.machine.private_files import replace_private, replaced_private, replacing_private


def _whole(path: Path) -> None:
    with replacing_private(path) as file:
        file.write("a secret")


def _at_once(path: Path) -> None:
    with replaced_private(path) as file:
        file.write("a secret")


def _as_text(path: Path) -> None:
    replace_private(path, "a secret")


@pytest.mark.parametrize("write", [_whole, _at_once, _as_text])
def test_existing_file_is_not_written_to(tmp_path: Path, write: Callable[[Path], None]) -> None:
    """A readable or open file and a link's target are not changed, and the new file belongs to its owner only."""
    readable, target, link = tmp_path / "readable", tmp_path / "target", tmp_path / "link"
    readable.write_text("old")
    readable.chmod(0o644)
    target.write_text("old")
    link.symlink_to(target)
    with readable.open() as opened:
        write(readable)
        write(link)
        seen = opened.read()

    assert (seen, target.read_text(), link.is_symlink()) == ("old", "old", False)
    assert [one.read_text() for one in (readable, link)] == ["a secret"] * 2
    assert [stat.S_IMODE(one.stat().st_mode) for one in (readable, link)] == [0o600] * 2
    assert sorted(one.name for one in tmp_path.iterdir()) == ["link", "readable", "target"]


def test_incomplete_file_replaces_nothing(tmp_path: Path) -> None:
    """An incomplete file is removed, and the earlier one stays."""
    path = tmp_path / "rows"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), replacing_private(path) as file:
        file.write(f"a secret {1 / 0}")

    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("rows", "old")]


def test_each_line_is_written_at_once(tmp_path: Path) -> None:
    """A process that is killed leaves the lines of what it did."""
    path = tmp_path / "report"
    with replaced_private(path) as file:
        file.write("one\n")

        assert path.read_text() == "one\n"


def test_two_writers_of_one_file_do_not_mix(tmp_path: Path) -> None:
    """The one that began first is refused, and does not put the incomplete file of the other one in place."""
    path = tmp_path / "rows"
    path.write_text("old")
    first, second = replacing_private(path), replacing_private(path)
    first.__enter__().write("first")
    second.__enter__().write("second")
    with pytest.raises(FileExistsError):
        first.__exit__(None, None, None)
    between = path.read_text()
    second.__exit__(None, None, None)

    assert [between, path.read_text()] == ["old", "second"]
    assert list(tmp_path.iterdir()) == [path]
