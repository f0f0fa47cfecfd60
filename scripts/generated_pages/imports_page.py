"""docs/generated/imports.md: the parts of the house, and the rooms and features of some of them, with their imports."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from typing import Any, Final

import grimp
from generated_files import ROOT

from generated_pages.markdown import page_of

ROOMS: Final = ("portico_runtime", "portico_stack")
"""Parts whose rooms are few enough for a picture."""

_MARK: Final = "x"
_SAME: Final = "\\"

Arrows = set[tuple[str, str]]


def imports_page() -> str:
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    parts, graph = linter["root_packages"], grimp.build_graph(*linter["root_packages"])
    featured = [one for one in linter["contracts"] if one["type"] == "features"]
    return page_of(
        "Imports",
        "An arrow means: imports modules of. `make check` refuses those that point upwards, and circles of modules.",
        "## Parts",
        picture(parts, arrows(graph, parts)),
        *(text for part in ROOMS for text in (f"## {_short(part)}", rooms_of(graph, part))),
        *(text for one in featured for text in features_of(graph, one)),
    )


def rooms_of(graph: grimp.ImportGraph, part: str) -> str:
    """The folders and single modules of a part, which people have to know before they find something in it."""
    rooms = sorted(graph.find_children(part))
    return picture(rooms, arrows(graph, rooms))


def features_of(graph: grimp.ImportGraph, contract: dict[str, Any]) -> tuple[str, ...]:
    features = [
        one for one in sorted(graph.find_children(contract["container"])) if _short(one) not in contract["beside"]
    ]
    text = (
        f"A feature imports open modules of those whose number has an {_MARK} in its row. The order leaves as few marks as "
        "possible below the diagonal, where a feature imports one that is named before it."
    )
    return f"## Features of {_short(contract['container'])}", text, matrix(features, arrows(graph, features))


def matrix(rooms: Sequence[str], found: Arrows) -> str:
    """For rooms that are too many, or import each other too often, for boxes and arrows."""
    ordered = _downwards(rooms, found)
    name, number = max(map(len, map(_short, ordered))), len(str(len(ordered)))
    # The digits of a column's number are below each other, so that columns are narrow enough for a page.
    digits = zip(*(str(place).rjust(number) for place in range(1, len(ordered) + 1)), strict=True)
    lines = [
        *(" " * (number + name + 3) + " ".join(row) for row in digits),
        *(
            f"{place:{number}} {_short(room):{name}}  {_marks(room, ordered, found)}"
            for place, room in enumerate(ordered, 1)
        ),
    ]
    body = "\n".join(line.rstrip() for line in lines)
    return f"{len(rooms)} rows, {len(found)} marks.\n\n```text\n{body}\n```"


def _marks(room: str, ordered: Sequence[str], found: Arrows) -> str:
    return " ".join(_SAME if room == one else _MARK if (room, one) in found else " " for one in ordered)


def _downwards(rooms: Sequence[str], found: Arrows) -> list[str]:
    """An order in which fewer arrows point backwards than after moving any one room."""

    def backwards(order: Sequence[str]) -> int:
        place = {room: number for number, room in enumerate(order)}
        return sum(place[imported] < place[importer] for importer, imported in found)

    best = list(rooms)
    while backwards(better := min(_with_one_moved(best), key=backwards)) < backwards(best):
        best = better
    return best


def _with_one_moved(rooms: Sequence[str]) -> Iterator[list[str]]:
    for room in rooms:
        rest = [one for one in rooms if one != room]
        yield from ([*rest[:place], room, *rest[place:]] for place in range(len(rooms)))


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
