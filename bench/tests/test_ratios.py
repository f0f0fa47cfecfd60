"""The comparison with what a release cost."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bench.ratios import (
    FILE,
    NothingToCompare,
    Recorded,
    of_last_release,
    present_commit,
    read,
    record,
    slower_rows,
)

NAME = "userinfo, 10,000 people, gateway"


def _git(root: Path, *words: str) -> None:
    identity = ("-c", "user.name=Bench", "-c", "user.email=bench@example.test")
    subprocess.run(["git", *identity, *words], cwd=root, check=True, capture_output=True)


def _repository(root: Path) -> Path:
    (root / FILE.parent).mkdir(parents=True)
    _git(root, "init", "-q")
    return root


@pytest.mark.parametrize(("now", "fails"), [(4.0, False), (4.39, False), (4.41, True), (8.0, True), (1.0, False)])
def test_more_than_a_tenth_above_the_record_fails(now: float, *, fails: bool) -> None:
    """Ten per cent is what measuring may differ by; a row beyond it is slower, one below is never."""
    slower = slower_rows(Recorded("v1", {NAME: 4.0}), {NAME: now})

    assert bool(slower) is fails


def test_more_idle_memory_fails() -> None:
    """Memory is compared like time, beside at least one operation."""
    recorded = Recorded("v1", {NAME: 4.0, "idle memory of the services": 0.9})

    [slower] = slower_rows(recorded, {NAME: 4.0, "idle memory of the services": 1.0})

    assert slower.name == "idle memory of the services"


def test_slower_row_states_both_figures() -> None:
    """The end of a run names the row, both multiples and the difference."""
    [slower] = slower_rows(Recorded("v1", {NAME: 4.0, "keys, gateway": 2.0}), {NAME: 5.0, "keys, gateway": 2.0})

    assert str(slower) == f"{NAME}: 5.00 times the limit, recorded were 4.00: 25 % more"
    assert slower.operation == "userinfo"


def test_run_that_shares_no_row_with_the_record_is_no_success() -> None:
    """A run over another number of people compares nothing, and must not look as if nothing was slower."""
    recorded = Recorded("v1", {NAME: 4.0, "idle memory of the services": 0.9})

    with pytest.raises(NothingToCompare):
        slower_rows(recorded, {"userinfo, 50 people, gateway": 1.0, "idle memory of the services": 0.9})


def test_rows_that_are_not_recorded_do_not_count() -> None:
    """A new operation has nothing to be compared with until it is recorded."""
    assert slower_rows(Recorded("v1", {NAME: 4.0}), {NAME: 4.0, "new, gateway": 99.0}) == []


def test_record_keeps_rows_that_were_not_measured(tmp_path: Path) -> None:
    """A run with a part of the operations replaces these rows alone."""
    path = tmp_path / "ratios.json"
    record(path, {NAME: 4.0, "keys, gateway": 2.0}, "v1")
    record(path, {NAME: 3.0}, "v1-3-gabc")

    assert read(path.read_bytes()) == Recorded("v1-3-gabc", {NAME: 3.0, "keys, gateway": 2.0})


def test_record_of_the_last_tag_counts(tmp_path: Path) -> None:
    """What is committed after the release, or lies in the tree, does not move what it is compared with."""
    root = _repository(tmp_path)
    record(root / FILE, {NAME: 4.0}, "before")
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "one")
    _git(root, "tag", "v9.0.0")
    record(root / FILE, {NAME: 40.0}, "after")

    found = of_last_release(root)

    assert (found.ratios, found.source, found.commit) == ({NAME: 4.0}, "v9.0.0", "before")
    assert present_commit(root) == "v9.0.0-dirty"


def test_record_of_the_tree_counts_where_the_tag_has_none(tmp_path: Path) -> None:
    """A release from before there was a record leaves the one that lies in the tree."""
    root = _repository(tmp_path)
    (root / "file").write_text("")
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "one")
    _git(root, "tag", "v9.0.0")
    record(root / FILE, {NAME: 4.0}, "now")

    assert (of_last_release(root).source, of_last_release(root).ratios) == ("", {NAME: 4.0})


@pytest.mark.parametrize("content", [None, "", "{", '{"commit": "v1"}'])
def test_missing_or_broken_record_is_no_success(tmp_path: Path, content: str | None) -> None:
    """Without a record that can be read nothing is compared, and that is an error."""
    if content is not None:
        (tmp_path / FILE.parent).mkdir()
        (tmp_path / FILE).write_text(content)

    with pytest.raises(NothingToCompare):
        of_last_release(tmp_path)
