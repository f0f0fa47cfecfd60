"""Rules of the stylesheet that a picture showed to be needed, and that no other test sees."""

from __future__ import annotations

import re

import pytest
from portico_console.static_files import STYLESHEET

CSS = STYLESHEET.content.decode()


@pytest.mark.parametrize(
    ("selector", "declaration"),
    [
        (".page-head > div", "flex: 1 1 13rem"),  # a long last sign-in wraps before the buttons do
        (".legend time", "white-space: nowrap"),
        (".chart:dir(rtl)", "scale: -1 1"),  # the oldest day is where reading begins
        (".actions + .panel", "margin-block-start: 1.5rem"),
        (".rail", "max-block-size: calc(100vh - 3.25rem)"),  # below the bar, all of it can be reached
        (".rail", "no-repeat scroll"),  # a shadow where more entries follow
    ],
)
def test_layout_keeps(selector: str, declaration: str) -> None:
    rules = re.findall(rf"(?:^|\}}|\*/)\s*{re.escape(selector)} \{{([^}}]*)\}}", CSS)

    assert any(declaration in rule for rule in rules)
