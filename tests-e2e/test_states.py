"""Contrast of every kind of control in every state, in light and dark; `make screens` takes pictures of them."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from playwright.async_api import Page
from portico_console.static_files import STYLESHEET
from portico_scenarios.contact_sheet import take_pictures
from portico_scenarios.states import CONSOLE, LOGIN, MEASURE, show_states
from portico_web.stylesheet import stylesheet

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("pages without a stack")]

SHEETS = {
    "console": (STYLESHEET.content, CONSOLE, ""),
    "console panel": (STYLESHEET.content, CONSOLE, "panel"),
    "login": (stylesheet().content, LOGIN, ""),
}


@pytest.mark.parametrize("name", SHEETS)
async def test_states_have_contrast(tab: Page, name: str) -> None:
    """Text has 4.5:1, focus rings and borders of fields have 3:1, and nothing is faded."""
    styles, kinds, on = SHEETS[name]
    found: dict[str, list[str]] = {}
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    await tab.emulate_media(reduced_motion="reduce")
    await show_states(tab, styles.decode(), kinds, on=on)
    for scheme in schemes:
        await tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        if faults := await tab.evaluate(MEASURE):
            found[scheme] = faults
    await tab.emulate_media(forced_colors="active", reduced_motion="reduce")
    if faults := await tab.evaluate(MEASURE):
        found["forced colours"] = faults
    await tab.emulate_media(forced_colors="none", reduced_motion="reduce")
    await take_pictures(tab, f"states {name}")

    assert not found, json.dumps(found, indent=1)
