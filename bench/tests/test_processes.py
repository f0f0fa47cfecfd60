"""CPU time by process."""

from __future__ import annotations

import os

import pytest

from bench.processes import ProcessGone, command_of, cpu_seconds, family_of, parse_stat


def test_name_with_brackets_and_spaces_does_not_shift_the_fields() -> None:
    """A process may call itself anything; the fields begin after the last bracket."""
    line = "42 (a ) S 9 (x) S 7 42 42 0 -1 4194304 1 2 3 4 150 50 0 0 20 0 1 0 100 1 1"

    stat = parse_stat(line)

    assert stat.parent == 7
    assert stat.cpu == 200 / os.sysconf("SC_CLK_TCK")


def test_process_that_ended_is_reported() -> None:
    """A service that was started again would make the difference of two readings a nonsense."""
    with pytest.raises(ProcessGone, match="token"):
        cpu_seconds({"token": [2**22 + 1]})


def test_own_time_is_counted() -> None:
    """The CPU time of this process is there and grows."""
    before = cpu_seconds({"me": [os.getpid()]})["me"]
    for number in range(2_000_000):
        _ = number * number
    after = cpu_seconds({"me": [os.getpid()]})["me"]

    assert after > before > 0
    assert os.getpid() in family_of(os.getppid())
    assert "python" in command_of(os.getpid())[0]
