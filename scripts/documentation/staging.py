"""Puts all pages of the site into one folder, from which mkdocs builds it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from generated_files import ROOT

from documentation.diagrams import drawn
from documentation.links import MissingTarget, place_in, rewritten, source_place
from documentation.lists import indented
from documentation.llms import PageText, full, index
from documentation.navigation import navigation
from documentation.places import documents
from documentation.proto_pages import proto_pages
from documentation.source_pages import source_page

_CONTRACTS: Final = "libs/contracts/portico_contracts/generated"
_OPENAPI: Final = (
    ("management-api", "Management API", f"{_CONTRACTS}/management-api.json"),
    ("login-api", "Login API", "docs/generated/login-api.json"),
)
_LOOK: Final = Path(__file__).parent / "look"
NAME: Final = "Portico"
SUMMARY: Final = "An OpenID Connect provider with user, MFA and identity-provider management."


def stage(folder: Path, root: Path = ROOT) -> dict[str, Any]:
    """Writes every page, picture and source page, and returns the configuration that mkdocs.yml lacks.

    Raises:
        MissingTarget: a document links to a file that does not exist.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(root / "docs" / "pictures", folder / "pictures")
    shutil.copytree(_LOOK, folder / "look")
    pages = {**_documents(folder, root), **proto_pages(), **_openapi_pages(folder, root)}
    for place, text in pages.items():
        _write(folder / place, _ranked(place, text))
    nav = navigation(pages, (root / "docs" / "decisions" / "README.md").read_text())
    texts = [
        PageText(
            section,
            title_of(pages[place]),
            place.removesuffix(".md").replace("README", "index") + ".html",
            pages[place],
        )
        for section, place in _in_order(nav)
    ]
    _write(folder / "llms.txt", index(NAME, SUMMARY, texts))
    _write(folder / "llms-full.txt", full(NAME, SUMMARY, texts))
    return {"site_name": NAME, "site_description": SUMMARY, "docs_dir": str(folder), "nav": nav}


_RANKS: Final = {"guides/": 4.0, "quickstart.md": 4.0, "decisions/": 0.25, "generated/": 0.5, "parts/": 0.5}
"""Factors of results in the search of the site: what a reader does comes before why it was built so."""

_UNSEARCHED: Final = ("reference/portico.", "releases/")
"""A third of the index. The page of the management API filters its operations, and the search starts sooner."""


def _ranked(place: str, text: str) -> str:
    """The page with its place in search results, as mkdocs-material reads it."""
    if place.startswith(_UNSEARCHED):
        return f"---\nsearch:\n  exclude: true\n---\n{text}"
    rank = next((rank for beginning, rank in _RANKS.items() if place.startswith(beginning)), 0.0)
    return f"---\nsearch:\n  boost: {rank}\n---\n{text}" if rank else text


def title_of(text: str) -> str:
    """The first heading of a page."""
    return next(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))


def _documents(folder: Path, root: Path) -> dict[str, str]:
    """The text of each document by its place, with links of the site; the files it links to are written at once."""
    places = documents(root)
    find = place_in(root, places)

    def target(path: str) -> str:
        place = find(path)
        if place == source_place(path) and not (folder / place).exists():
            _write(folder / place, source_page(root, path))
        return place

    found = {}
    for path, place in places.items():
        try:
            found[place] = drawn(indented(rewritten((root / path).read_text(), path, place, target)))
        except MissingTarget as error:
            raise MissingTarget(f"{path} links to {error}, which does not exist") from error
    return found


def _openapi_pages(folder: Path, root: Path) -> dict[str, str]:
    pages = {}
    for name, title, path in _OPENAPI:
        document = json.loads((root / path).read_text())
        _write(folder / "reference" / f"{name}.json", json.dumps(document))
        pages[f"reference/{name}.md"] = (
            f'# {title}\n\n[OpenAPI document]({name}.json)\n\n<swagger-ui src="{name}.json"/>\n'
        )
    return pages


def _in_order(nav: list[Any], section: str = "") -> Iterator[tuple[str, str]]:
    """Section and place of each page."""
    for one in nav:
        if isinstance(one, str):
            yield section, one
        else:
            for title, members in one.items():
                yield from _in_order(members, section or title)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
