"""Violations that axe-core, which `make tools` installs, finds on pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from playwright.async_api import Page

from portico_scenarios.browser_rp import MODULES

_AXE: Final = MODULES / "axe-core" / "axe.min.js"
_RUN: Final = """async (only) => {
    const rules = {"target-size": {enabled: true}};
    const found = {resultTypes: ["violations"], preload: false, iframes: false, rules};
    const options = only.length ? {...found, runOnly: {type: "rule", values: only}} : found;
    const {violations} = await axe.run(document, options);
    return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).join(", ")}`);
}"""
"""All rules and the size of targets (WCAG 2.5.8), or some rules."""

OF_COLOURS: Final = ("color-contrast", "link-in-text-block")


async def prepare(page: Page) -> None:
    """Loads axe-core into all later documents of a tab, for half of the cost of loading it into each."""
    await page.add_init_script(path=_AXE)


async def violations(page: Page, only: Sequence[str] = ()) -> list[str]:
    """Returns the violated rules with their elements.

    Args:
        only: the rules to check; all without.
    """
    if not await page.evaluate("typeof axe === 'object'"):
        await page.evaluate(_AXE.read_text("utf-8"))
    found: list[str] = await page.evaluate(_RUN, list(only))
    return found


async def violations_in_both_schemes(page: Page) -> list[str]:
    """Returns the violations in light, and in dark those of rules about colours: nothing else is different there."""
    await page.emulate_media(color_scheme="light", reduced_motion="reduce")
    light = await violations(page)
    await page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    return [*light, *(f"dark {one}" for one in await violations(page, OF_COLOURS))]
