"""docs/generated/imports.md: the parts of the house, and the rooms of some of them, with their imports."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Final

import grimp
from generated_files import ROOT

from generated_pages.markdown import page_of

ROOMS: Final = ("portico_runtime", "portico_stack")
"""Parts whose rooms are few enough for a picture."""

Arrows = set[tuple[str, str]]


def imports_page() -> str:
    parts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["root_packages"]
    graph = grimp.build_graph(*parts)
    return page_of(
        "Imports",
        "An arrow means: imports modules of. `make check` refuses those that point upwards, and circles of modules.",
        "## Parts",
        picture(parts, arrows(graph, parts)),
        *(text for part in ROOMS for text in (f"## {_short(part)}", rooms_of(graph, part))),
    )


def rooms_of(graph: grimp.ImportGraph, part: str) -> str:
    """The folders and single modules of a part, which people have to know before they find something in it."""
    rooms = sorted(graph.find_children(part))
    return picture(rooms, arrows(graph, rooms))


def arrows(graph: grimp.ImportGraph, rooms: Sequence[str]) -> Arrows:
    inside = {module: room for room in rooms for module in (room, *graph.find_descendants(room))}
    return {
        (room, inside[other])
        for module, room in inside.items()
        for other in graph.find_modules_directly_imported_by(module)
        if inside.get(other, room) != room
    }


def picture(rooms: Sequence[str], found: Arrows) -> str:
    edges = sorted((_short(importer), _short(imported)) for importer, imported in found)
    alone = sorted(set(map(_short, rooms)) - {name for edge in edges for name in edge})
    body = "\n".join(f"    {line}" for line in (*alone, *(" --> ".join(edge) for edge in edges)))
    return f"{len(rooms)} boxes, {len(found)} arrows.\n\n```mermaid\nflowchart TD\n{body}\n```"


def _short(name: str) -> str:
    return name.rpartition(".")[2].removeprefix("portico_")
