"""Pictures of pages for people to look at: `make screens` sets the folder, and tests that visit every page fill it.

Run as a program it writes the sheet: ``python -m portico_scenarios.contact_sheet FOLDER``; with a second folder it writes
the pictures of the README into that instead.
"""

from __future__ import annotations

import html
import os
import re
import sys
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.async_api import Page

_FOLDER: Final = os.environ.get("PORTICO_TEST_SCREENS", "")
_WIDE: Final = {"width": 1280, "height": 800}
_NARROW: Final = {"width": 320, "height": 640}
_LOOKS: Final = (("light", "light", _WIDE), ("dark", "dark", _WIDE), ("narrow", "light", _NARROW))
_APP: Final = "console-orgs-demo-organization-projects-demo-project-apps-demo-app-start-framework-flask"
README_PICTURES: Final = {
    "sign-in.png": "login-en-login-name--light.png",
    "account.png": "account--light.png",
    "console.png": "console-orgs-demo-organization--light.png",
    "application.png": f"{_APP}--light.png",
}
"""File name in docs/pictures, and the picture of `make screens` it is cut from."""
_STYLE: Final = """body{font:14px system-ui;margin:1.5rem;background:#888;color:#fff}h2{margin:2rem 0 .5rem}
figure{display:inline-block;margin:0 1rem 1rem 0;vertical-align:top}img{max-height:420px;max-width:520px;display:block}"""


async def take_pictures(tab: Page, name: str) -> None:
    """Takes screenshots in light, dark, narrow and right-to-left; does nothing when no folder is set."""
    if not _FOLDER:
        return
    folder = Path(_FOLDER)  # playwright makes it
    word = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")
    size = tab.viewport_size or {"width": 1280, "height": 800}
    for look, scheme, viewport in _LOOKS:
        await tab.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
        await tab.set_viewport_size({"width": viewport["width"], "height": viewport["height"]})
        await tab.screenshot(path=folder / f"{word}--{look}.png", full_page=True)
    await tab.set_viewport_size(size)
    before = await tab.evaluate("document.documentElement.dir")
    await tab.evaluate("document.documentElement.dir = 'rtl'")
    await tab.screenshot(path=folder / f"{word}--rtl.png", full_page=True)
    await tab.evaluate("(before) => { document.documentElement.dir = before }", before)


def write_sheet(folder: Path) -> int:
    """Writes ``index.html`` with all screenshots of a folder; returns the number of pages."""
    pages: dict[str, list[Path]] = {}
    for picture in sorted(folder.glob("*--*.png")):
        pages.setdefault(picture.stem.partition("--")[0], []).append(picture)
    parts = [f"<!doctype html><meta charset=utf-8><title>Pages of Portico</title><style>{_STYLE}</style>"]
    for name, pictures in pages.items():
        parts.append(f"<h2>{html.escape(name)}</h2>")
        for one in pictures:
            look = one.stem.partition("--")[2]
            parts.append(f"<figure><a href='{one.name}'><img loading=lazy src='{one.name}' alt=''></a>{look}</figure>")
    (folder / "index.html").write_text("\n".join(parts), "utf-8")
    return len(pages)


def write_readme_pictures(folder: Path, target: Path) -> None:
    """The upper 1280 by 800 pixels of each picture, in 64 colours: at most 60 KB each."""
    target.mkdir(parents=True, exist_ok=True)
    for name, source in README_PICTURES.items():
        with Image.open(folder / source) as picture:
            picture.convert("RGB").crop((0, 0, 1280, 800)).quantize(64).save(target / name, optimize=True)


if __name__ == "__main__":
    screens, *others = map(Path, sys.argv[1:])
    if others:
        write_readme_pictures(screens, others[0])
    else:
        sys.stdout.write(f"{write_sheet(screens)} pages in {screens}/index.html\n")
