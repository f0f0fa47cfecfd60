"""The counts of Python calls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import bench
from bench.calls import Counted, calls_table, more_calls
from bench.trees import short

BEFORE = Counted({"token": {"a": 90.0, "b": 10.0}})


@pytest.mark.parametrize(("now", "fails"), [(110.0, False), (111.0, True), (50.0, False)])
def test_over_a_tenth_more_calls_in_all_services_together_fail(now: float, *, fails: bool) -> None:
    """Work that moved from one service to another costs nothing."""
    found = {"userinfo": {"before": BEFORE, "now": Counted({"token": {"a": now - 40}, "authz": {"c": 40.0}})}}

    assert more_calls(found) == (["userinfo: 111 Python calls, before 100 (+11%)"] if fails else [])
    cells = [cell.strip() for cell in calls_table(found).splitlines()[2].split("|")]
    assert cells[1:-1] == ["userinfo", f"100 → {now:.0f}", "0 → 40", f"100 → {now - 40:.0f}"]


def test_operation_that_one_tree_does_not_serve_is_not_compared() -> None:
    found = {"userinfo": {"before": Counted(), "now": BEFORE}}

    assert more_calls(found) == []
    assert "userinfo" not in calls_table(found)


def test_service_counts_its_calls_and_no_other_process_does(tmp_path: Path) -> None:
    """Calls in its threads count like those of its main thread."""
    (tmp_path / "portico_one.py").write_text(
        "import signal, threading\n"
        "def called(): pass\n"
        "for _ in range(7): called()\n"
        "thread = threading.Thread(target=called); thread.start(); thread.join()\n"
        "signal.raise_signal(signal.SIGUSR2)\n"
    )
    counting = Path(bench.__file__).with_name("counting")
    environment = {**os.environ, "PYTHONPATH": f"{counting}:{tmp_path}", "BENCH_CALLS": str(tmp_path)}
    subprocess.run([sys.executable, "-m", "portico_one"], env=environment, check=True)

    [counts] = tmp_path.glob("*.json")
    assert json.loads(counts.read_text())[f"{tmp_path}/portico_one.py:called"] == 8
    check = "import signal; print(signal.getsignal(signal.SIGUSR2) == signal.SIG_DFL)"
    other = subprocess.run([sys.executable, "-c", check], env=environment, capture_output=True, check=True)
    assert other.stdout == b"True\n"


@pytest.mark.parametrize(
    "path", ["/tree/libs/a.py:f", "/tree/.venv/lib/python3.11/site-packages/libs/a.py:f", "libs/a.py:f"]
)
def test_function_has_the_same_name_in_both_trees(path: str) -> None:
    assert short(path, Path("/tree")) == "libs/a.py:f"
