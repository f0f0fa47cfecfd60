from __future__ import annotations

from pathlib import Path

import pytest
from unit_tests import divide, run, unit_test_files


def test_modules_without_a_unit_test_are_left_out(tmp_path: Path) -> None:
    marks = {"unit": "", "server": "pytestmark = pytest.mark.servers\n", "long": "pytestmark = [pytest.mark.slow]\n"}
    for name, mark in marks.items():
        _module(tmp_path, name, f"{mark}def test_it(): pass\n")
    (tmp_path / "member" / "test_product.py").write_text("")

    assert [file.name for file in unit_test_files([tmp_path])] == ["test_unit.py"]


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_every_file_is_in_one_part(tmp_path: Path, count: int) -> None:
    files = [_module(tmp_path, f"{number}", "x" * number) for number in range(1, 6)]

    parts = list(divide(files, count))

    assert [file for part in parts for file in part] == files
    assert len(parts) <= count
    assert all(parts)


def test_parts_have_about_the_same_size(tmp_path: Path) -> None:
    files = [_module(tmp_path, f"{number:02}", "x" * (10 if number < 12 else 30)) for number in range(16)]

    assert [len(part) for part in divide(files, 2)] == [12, 4]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("second", "status"),
    [("def test_it(): assert False", 1), ("def test_it(): pass", 0), ("", 0), ("import missing_module", 2)],
)
def test_failure_of_any_part_fails_the_run(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], second: str, status: int
) -> None:
    parts = [[_module(tmp_path, "first", "def test_it(): pass")], [_module(tmp_path, "second", second)]]

    assert run(parts) == status
    assert "1 passed" in capfd.readouterr().out


@pytest.mark.slow
def test_run_without_a_test_fails(tmp_path: Path) -> None:
    assert run([[_module(tmp_path, "empty", "")]]) == pytest.ExitCode.NO_TESTS_COLLECTED


def _module(folder: Path, name: str, text: str) -> Path:
    file = folder / "member" / "tests" / f"test_{name}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file
