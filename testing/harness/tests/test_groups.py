from __future__ import annotations

from pathlib import Path

import pytest
from portico_harness.groups import group_of, leaves_stack


@pytest.mark.parametrize(
    ("file", "text", "group"),
    [
        ("services/token/tests/unit/test_a.py", "def test(): ...", "services/token/tests/unit/test_a.py"),
        ("services/users/tests/test_b.py", "def test(world: World): ...", "services/users/tests/test_b.py"),
        ("tools/stack/tests/test_c.py", 'pytestmark = [pytest.mark.xdist_group("go programs")]', "go programs"),
        ("tests-e2e/test_a.py", "def test(world: World, tab: Page): ...", "world 1"),
        ("tests-e2e/test_c.py", "def test(tab: Page, admin: Administrator): ...", "world 0"),
        ("tests-e2e/test_d.py", "def test(everywhere: Everywhere, world: World): ...", "doubled"),
        ("tests-e2e/test_e.py", "def stage(federated: Federated): ...", "federated"),
        ("tests-e2e/test_g.py", "def test(secure: World): ...", "secure"),
        ("tests-e2e/test_f.py", "def test(tab: Page): ...", "tests-e2e/test_f.py"),
    ],
)
def test_files_with_a_shared_stack_run_in_one_worker(file: str, text: str, group: str) -> None:
    """The tests of a file, and files that share a stack or a group, run in one worker."""
    assert group_of(file, text) == group


def test_stack_stops_before_tests_of_another_group(tmp_path: Path) -> None:
    texts = {"tests-e2e/test_a.py": "world: World", "tests-e2e/test_b.py": "world: World", "libs/test_b.py": ""}
    stacked, same, other = (tmp_path / name for name in texts)
    for file, text in zip((stacked, same, other), texts.values(), strict=True):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    assert group_of("tests-e2e/test_a.py", "world: World") == group_of("tests-e2e/test_b.py", "world: World")
    assert not leaves_stack(stacked, same, tmp_path)
    assert leaves_stack(same, other, tmp_path)
    assert not leaves_stack(other, stacked, tmp_path)
