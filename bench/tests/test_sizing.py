"""What a busy hour needs, from the table of docs/performance.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench import sizing

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "sizing.md"
PAGE = """\
| operation | people | limit µs | gateway µs | limits | reach | verdict | limits | gateway | authz | token | keys | users | login-ui | redis | mongo | nats | busy |
| --- | --: | --: | --: | --: | --: | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
| introspect opaque | 10,000 | 30 | 116 | 3.8 | 3.1 | over | 2 | 28 | 0 | 72 | 0 | 0 | 0 | 16 | 0 | 0 | 92% |
| introspect opaque | 100 | 30 | 111 | 3.7 | 3.1 | over | 2 | 27 | 0 | 69 | 0 | 0 | 0 | 15 | 0 | 0 | 93% |
| sign-in |  | 21,325 | 45,905 | 2.2 | 1.3 | over | 2 | 1,704 | 7,126 | 1,789 | 24 | 22,981 | 4,198 | 2,662 | 4,424 | 999 | 89% |

| Operation | offered /s |
|---|---:|
| introspect opaque | 5 |
"""


def test_the_table_is_read() -> None:
    """Of each operation what the components take, of two rows the one with many people; another table is not it."""
    costs = sizing.costs(PAGE)

    assert set(costs) == {"introspect opaque", "sign-in"}
    assert costs["introspect opaque"]["token"] == 72
    assert costs["introspect opaque"]["gateway"] == 28
    assert costs["sign-in"]["users"] == 22_981


def test_an_hour_needs_cores() -> None:
    """216,000 introspections are 60 a second: 4.3 ms a second of token, on a core that is used to six tenths."""
    needed = sizing.cores(sizing.costs(PAGE), {"introspect opaque": 216_000, "sign-in": 360_000})

    assert needed["token"] == pytest.approx((60 * 72 + 100 * 1_789) / 1e6 / 0.6)
    assert needed["users"] == pytest.approx(100 * 22_981 / 1e6 / 0.6)
    assert sizing.replicas(needed) == {"authz": 2, "token": 2, "keys": 2, "users": 4, "login-ui": 2}


def test_the_page_has_every_operation_of_the_command() -> None:
    """A row that is renamed there is renamed here."""
    assert set(sizing.OPERATIONS.values()) <= set(sizing.costs(sizing.PAGE.read_text()))


def test_the_guide_shows_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    """Its example is run, so that it stays true when the table is measured anew."""
    [(command, shown)] = re.findall(
        r"```\n\$ \.venv/bin/python -m bench\.sizing ([^\n]*)\n(.*?)```", GUIDE.read_text(), re.DOTALL
    )
    sizing.main(command.split())

    assert capsys.readouterr().out == shown
