"""Every kind of control in its states: hover, focus, disabled and error, for contrast and for pictures."""

from __future__ import annotations

from typing import Any, Final

from playwright.async_api import Page

CONSOLE: Final = {
    "primary": '<button class="button" data-see>Create user</button>',
    "primary link": '<a class="button" href="#" data-see>Invite</a>',
    "second": '<button class="button second" data-see>Cancel</button>',
    "danger": '<button class="button danger" data-see>Delete</button>',
    "quiet": '<button class="button quiet" data-see>Reset</button>',
    "link": '<p>Text with <a href="#" data-see>a link</a></p>',
    "link button": '<button class="link" data-see>Sign out</button>',
    "copy": '<button data-copy="x" data-see>Copy</button>',
    "menu, primary": '<details class="menu choose"><summary class="button" data-see>Add</summary></details>',
    "menu, second": '<details class="menu choose"><summary class="button second" data-see>More</summary></details>',
    "menu, entry": '<div class="menu choose"><div class="sheet open"><a href="#" data-see>Rename</a></div></div>',
    "menu, button": '<div class="menu choose"><div class="sheet open"><button data-see>Lock</button></div></div>',
    "menu, danger": '<div class="menu choose"><div class="sheet open"><a class="danger" href="#" data-see>Delete</a></div></div>',
    "person": '<header class="bar"><details class="menu person"><summary data-see>Ada</summary></details></header>',
    "theme": '<div class="theme"><div><button class="choice" aria-pressed="false" data-see>Light</button></div></div>',
    "theme, chosen": '<div class="theme"><div><button class="choice" aria-pressed="true" data-see>Dark</button></div></div>',
    "switcher": '<details class="menu choose switcher"><summary class="button second" data-see><bdi>Demo</bdi></summary></details>',
    "group": '<details class="entries"><summary data-see>People</summary></details>',
    "entry": '<div class="entries"><a href="#" data-see>Users</a></div>',
    "entry, here": '<div class="entries"><a href="#" aria-current="page" data-see>Users</a></div>',
    "tab": '<ul class="tabs"><li><a href="#" data-see>Access</a></li></ul>',
    "tab, here": '<ul class="tabs"><li><a href="#" aria-current="page" data-see>Overview</a></li></ul>',
    "chip": '<ul class="chips"><li><a href="#" data-see>Locked</a></li></ul>',
    "chip, here": '<ul class="chips"><li><a href="#" aria-current="true" data-see>All</a></li></ul>',
    "field": '<input value="ada" aria-label="a" data-see data-field>',
    "field, empty": '<input placeholder="Search" aria-label="a" data-see data-field>',
    "select": '<select aria-label="a" data-see data-field><option>Name</option></select>',
    "text": '<textarea aria-label="a" data-see data-field>ada</textarea>',
    "row": '<table><tbody><tr data-force><td><a href="#" data-see>Ada</a></td></tr></tbody></table>',
    "row, state": '<table><tbody><tr data-force><td><span class="state off" data-see>inactive</span></td></tr></tbody></table>',
    "selection": '<div class="selection"><button class="button second" data-see>Lock</button></div>',
    "crumb": '<ol class="crumbs"><li><a href="#" data-see>Users</a></li></ol>',
    "problem": '<p class="problem">Refused. <a href="#" data-see>Why</a></p>',
    "notice": '<p class="notice">Set up. <a href="#" data-see>Security</a></p>',
    "done": '<p class="done">Saved. <a href="#" data-see>Open</a></p>',
    "badge": '<span class="badge" data-see>inherited</span>',
    "badge, overridden": '<span class="badge overridden" data-see>overridden</span>',
    "badge, warning": '<span class="badge warn" data-see>2</span>',
    "state, good": '<span class="state good" data-see>active</span>',
    "state, bad": '<span class="state bad" data-see>locked</span>',
    "state, warn": '<span class="state warn" data-see>pending</span>',
    "avatar": '<span class="avatar" data-see>GH</span>',
    "hint": '<p class="hint" data-see>Shown on the sign-in page.</p>',
    "wrong": '<p class="wrong" data-see>Enter an email address.</p>',
    "empty": '<p class="empty" data-see>No users yet.</p>',
}  # fmt: skip
LOGIN: Final = {
    "primary": '<button class="button" data-see>Next</button>',
    "second": '<button class="button second" data-see>Sign in with a passkey</button>',
    "quiet": '<button class="quiet" data-see>Forgot the password?</button>',
    "account": '<ul class="accounts"><li><button class="account" data-see>ada@example.com</button></li></ul>',
    "field": '<input value="ada" aria-label="a" data-see data-field>',
    "reveal": '<div class="secret"><input aria-label="a"><button class="reveal" aria-pressed="false" data-see>x</button></div>',
    "links": '<footer class="links"><a href="#" data-see>Terms</a></footer>',
    "problem": '<p class="problem">Refused. <a href="#" data-see>Why</a></p>',
}  # fmt: skip
STATES: Final = ("normal", "hover", "focus", "disabled", "error")
_PSEUDO: Final = {"hover": ["hover"], "focus": ["focus", "focus-visible"]}
_GRID: Final = """
main { max-inline-size: none; inline-size: auto; min-block-size: 0; margin: 1rem; box-shadow: none; border-radius: 0; padding: 1rem; }
.states { border-spacing: 0 .5rem; } .states > tbody > tr:hover { background: none; }
.states > tbody > tr > :is(td, th) { padding: .25rem .75rem; vertical-align: middle; max-inline-size: none; inline-size: 14rem; }
.open.open.open { position: static; max-inline-size: none; }
"""

MEASURE: Final = """() => {
    const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const read = (text) => {
        paint.clearRect(0, 0, 1, 1);
        paint.fillStyle = text;
        paint.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = paint.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = (top, below) => [...[0, 1, 2].map((n) => top[n] * top[3] + below[n] * (1 - top[3])), 1];
    const ground = (element) => {
        if (!element) return [255, 255, 255, 1];
        const own = read(getComputedStyle(element).backgroundColor);
        return own[3] === 1 ? own : over(own, ground(element.parentElement));
    };
    const light = ([r, g, b]) => {
        const [x, y, z] = [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const contrast = (one, other) => {
        const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
        return (high + 0.05) / (low + 0.05);
    };
    const faults = [];
    for (const cell of document.querySelectorAll("[data-state]")) {
        const element = cell.querySelector("[data-see]");
        const style = getComputedStyle(element);
        const [own, around] = [ground(element), ground(element.parentElement)];
        const check = (what, color, on, least) => {
            const found = contrast(over(read(color), on), on);
            if (found < least) faults.push(`${cell.dataset.kind}, ${cell.dataset.state}: ${what} ${found.toFixed(2)}`);
        };
        check("text", style.color, own, 4.5);
        if (style.opacity !== "1") faults.push(`${cell.dataset.kind}, ${cell.dataset.state}: opacity`);
        if (cell.dataset.state === "focus") {
            if (style.outlineStyle === "none") faults.push(`${cell.dataset.kind}: no outline`);
            check("outline", style.outlineColor, style.outlineOffset.startsWith("-") ? own : around, 3);
        }
        if ("field" in element.dataset) {
            if (cell.dataset.state !== "disabled") check("border", style.borderTopColor, around, 3);
            if (element.placeholder) check("placeholder", getComputedStyle(element, "::placeholder").color, own, 4.5);
        }
    }
    return faults;
}"""
"""Contrast below 4.5:1 of text and below 3:1 of focus rings and borders of fields, with kind and state."""


async def show_states(tab: Page, styles: str, kinds: dict[str, str], *, on: str) -> None:
    """Shows a table of all kinds in all states, on a background of the stylesheet."""
    rows = "".join(
        f"<tr><th scope=row>{kind}</th>{''.join(_cell(kind, state, html) for state in STATES)}</tr>"
        for kind, html in kinds.items()
    )
    head = "".join(f"<th scope=col>{state}</th>" for state in ("", *STATES))
    await tab.set_content(
        f'<!doctype html><html lang="en"><title>States</title><style>{styles}{_GRID}</style>'
        f'<body><main class="{on}"><table class="states"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></main>'
    )
    session: Any = await tab.context.new_cdp_session(tab)
    await session.send("DOM.enable")
    await session.send("CSS.enable")
    root = (await session.send("DOM.getDocument"))["root"]["nodeId"]
    for state, pseudo in _PSEUDO.items():
        where = f"[data-state={state}] :is([data-see], [data-force])"
        found = await session.send("DOM.querySelectorAll", {"nodeId": root, "selector": where})
        for node in found["nodeIds"]:
            await session.send("CSS.forcePseudoState", {"nodeId": node, "forcedPseudoClasses": pseudo})


def _cell(kind: str, state: str, html: str) -> str:
    """A kind without the state is shown as it is: links cannot be disabled, and only fields have errors."""
    has = {"disabled": "<button" in html or "data-field" in html, "error": "data-field" in html}
    attribute = {"disabled": " disabled", "error": ' aria-invalid="true"'}.get(state, "")
    if not has.get(state, True) or (state == "focus" and not _focusable(html)):
        return "<td></td>"
    shown = html.replace(" data-see", f" data-see{attribute}")
    return f'<td data-kind="{kind}" data-state="{state}">{shown}</td>'


def _focusable(html: str) -> bool:
    opened = html.rpartition(" data-see")[0].rpartition("<")[2]
    return opened.startswith(("a ", "button", "summary", "input", "select", "textarea"))
