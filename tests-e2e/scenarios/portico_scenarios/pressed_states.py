"""Contrast of links, buttons and fields while the pointer or the focus is on them, which axe-core does not measure."""

from __future__ import annotations

from typing import Any, Final, Literal

from playwright.async_api import Page

_ELEMENTS: Final = "a[href], button, summary, input:not([type=hidden]), select, textarea"
_STATES: Final = {"hover": ["hover"], "focus": ["focus", "focus-visible"]}
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")

_MEASURE: Final = """([elements, state]) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const pixel = (color) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const over = ([r, g, b, a], below) => [r, g, b].map((one, at) => (one * a + below[at] * (255 - a)) / 255);
    const ground = (element) => {
        if (!element) return [255, 255, 255];
        const color = pixel(getComputedStyle(element).backgroundColor);
        return color[3] === 255 ? color.slice(0, 3) : over(color, ground(element.parentElement));
    };
    const light = (color) => {
        const [r, g, b] = color.map((one) => one / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (one, other) => {
        const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
        return (bright + 0.05) / (dark + 0.05);
    };
    const found = [];
    for (const element of document.querySelectorAll(elements)) {
        const style = getComputedStyle(element);
        const shown = element.getBoundingClientRect();
        if (!element.checkVisibility({ visibilityProperty: true }) || element.disabled || element.closest("[inert]")) continue;
        if (shown.width < 2 || style.clipPath !== "none") continue;
        const name = `${element.tagName.toLowerCase()}#${element.id} "${element.textContent.trim().slice(0, 30)}"`;
        const words = element.matches("select, textarea") || (element.textContent || element.value || "").trim();
        if (words && !element.matches("[type=checkbox], [type=radio]")) {
            const ratio = contrast(over(pixel(style.color), ground(element)), ground(element));
            if (ratio < 4.5) found.push(`${state} ${name}: text ${ratio.toFixed(2)}`);
        }
        if (state === "focus") {
            const ratio = contrast(over(pixel(style.outlineColor), ground(element.parentElement)), ground(element.parentElement));
            const thin = style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2;
            if (thin) found.push(`${state} ${name}: no ring`);
            else if (ratio < 3) found.push(`${state} ${name}: ring ${ratio.toFixed(2)}`);
        }
    }
    return found;
}"""


async def weak_states(page: Page) -> list[str]:
    """Returns texts below 4.5:1 and focus rings below 3:1, with their element, in light and dark (WCAG 1.4.3, 1.4.11).

    The states are forced on all elements at once: moving the pointer to each takes a hundred times longer.
    """
    found: list[str] = []
    tools = await page.context.new_cdp_session(page)
    await tools.send("DOM.enable")
    await tools.send("CSS.enable")
    root: Any = await tools.send("DOM.getDocument", {"depth": 0})
    query = {"nodeId": root["root"]["nodeId"], "selector": _ELEMENTS}
    nodes: Any = (await tools.send("DOM.querySelectorAll", query))["nodeIds"]
    for state, classes in _STATES.items():
        for node in nodes:
            await tools.send("CSS.forcePseudoState", {"nodeId": node, "forcedPseudoClasses": classes})
        for scheme in SCHEMES:
            await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found += [f"{scheme} {one}" for one in await page.evaluate(_MEASURE, [_ELEMENTS, state])]
    await tools.detach()
    return found
