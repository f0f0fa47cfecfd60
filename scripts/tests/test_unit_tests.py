from __future__ import annotations

from pathlib import Path

import pytest
from unit_tests import divide, run, unit_test_files


def test_modules_without_a_unit_test_are_left_out(tmp_path: Path) -> None:
    marks = {"unit": "", "server": "pytestmark = pytest.mark.servers\n", "long": "pytestmark = [pytest.mark.slow]\n"}
    for name, mark in marks.items():
        _module(tmp_path, name, f"{mark}def test_it(): pass\n")
    (tmp_path / "test_product.py").write_text("")

    assert [file.name for file in unit_test_files([tmp_path])] == ["test_unit.py"]


@pytest.mark.parametrize("members", [["libs/one"], ["libs/one", "libs/two", "services/three"]])
@pytest.mark.parametrize("count", [1, 2, 3, 40])
def test_every_file_is_in_one_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, members: list[str], count: int
) -> None:
    monkeypatch.chdir(tmp_path)
    files = [_module(Path(member), f"{number}", "x" * 10) for member in members for number in range(4)]

    parts = divide(files, count)

    assert sorted(file for part in parts for file in part) == files
    assert len(parts) == min(count, len(files))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_members_stay_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = [_module(Path(member), name, "x") for member in ("libs/one", "libs/two") for name in ("a", "b")]

    assert divide(files, 2) == [files[:2], files[2:]]


def test_no_file_is_no_part() -> None:
    assert divide([], 2) == []
    assert run([]) == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.fixture
def few_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loads into the processes only the plugin whose option they get; all of them take three times as long."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "xdist.plugin")


@pytest.mark.slow
@pytest.mark.usefixtures("few_plugins")
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
@pytest.mark.usefixtures("few_plugins")
def test_run_without_a_test_fails(tmp_path: Path) -> None:
    assert run([[_module(tmp_path, "empty", "")]]) == pytest.ExitCode.NO_TESTS_COLLECTED


def _module(folder: Path, name: str, text: str) -> Path:
    file = folder / "tests" / f"test_{name}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file
