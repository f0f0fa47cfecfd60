"""Draws the diagrams of imports as pictures in the page, so that the site needs no script of another server."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Final, NamedTuple

_DIAGRAM: Final = re.compile(r"^```mermaid\nflowchart TD\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ARROW: Final = " --> "
_STEP: Final = 96
_HEIGHT: Final = 28
_LETTER: Final = 7.5
_GAP: Final = 16
_MOST_IN_ROW: Final = 8


class _Box(NamedTuple):
    left: float
    top: float
    width: float

    @property
    def middle(self) -> float:
        return self.left + self.width / 2


def drawn(text: str) -> str:
    """Returns the document with a figure for each diagram: boxes and arrows, in the colour of the text."""
    return _DIAGRAM.sub(lambda found: figure(found[1].split("\n")), text)


def figure(lines: Iterable[str]) -> str:
    """Lines have a box (``bus``), or an arrow between two (``bus --> tls``)."""
    stripped = [line.strip() for line in lines if line.strip()]
    arrows = [(before, after) for before, has, after in (line.partition(_ARROW) for line in stripped) if has]
    names = list(dict.fromkeys(name for line in stripped for name in line.split(_ARROW)))
    boxes = _placed(_rows(names, arrows))
    width = max(box.left + box.width for box in boxes.values()) + _GAP
    height = max(box.top for box in boxes.values()) + _HEIGHT + _GAP
    parts = [_line(boxes[before], boxes[after]) for before, after in arrows]
    parts += [_box(name, box) for name, box in boxes.items()]
    label = escape("; ".join(f"{before} to {after}" for before, after in arrows), quote=True)
    return (
        f'<figure class="diagram"><svg width="{width:g}" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{label}" '
        'font-family="system-ui, sans-serif" font-size="12" fill="none" stroke="currentColor">'
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="6" markerHeight="6" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="currentColor" stroke="none"/></marker></defs>'
        f"{''.join(parts)}</svg></figure>"
    )


def _rows(names: Iterable[str], arrows: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Each box is above those that its arrows point to; an arrow that closes a circle points upwards."""
    targets: dict[str, list[str]] = {name: [] for name in names}
    for before, after in arrows:
        targets[before].append(after)
    depths: dict[str, int] = {}

    def depth(name: str, above: frozenset[str]) -> int:
        if name not in depths:
            below = [depth(one, above | {name}) for one in targets[name] if one not in above | {name}]
            depths[name] = max(below, default=-1) + 1
        return depths[name]

    for name in targets:
        depth(name, frozenset())
    rows = [[name for name in targets if depths[name] == level] for level in range(max(depths.values()), -1, -1)]
    return [row[start : start + _MOST_IN_ROW] for row in rows for start in range(0, len(row), _MOST_IN_ROW)]


def _placed(rows: list[list[str]]) -> Mapping[str, _Box]:
    """Rows are centred below each other."""
    widths = {name: len(name) * _LETTER + 16 for row in rows for name in row}
    lengths = [sum(widths[name] for name in row) + _GAP * (len(row) - 1) for row in rows]
    found = {}
    for number, row in enumerate(rows):
        left = _GAP + (max(lengths) - lengths[number]) / 2
        for name in row:
            found[name] = _Box(left, _GAP + number * _STEP, widths[name])
            left += widths[name] + _GAP
    return found


def _line(start: _Box, end: _Box) -> str:
    is_down = end.top > start.top
    before, after = start.top + (_HEIGHT if is_down else 0), end.top + (0 if is_down else _HEIGHT)
    path = f"M{start.middle:g} {before:g} L{end.middle:g} {after:g}"
    return f'<path d="{path}" opacity=".45" marker-end="url(#arrow)"/>'


def _box(name: str, box: _Box) -> str:
    text = f'<text x="{box.middle:g}" y="{box.top + 18:g}" text-anchor="middle" fill="currentColor" stroke="none">'
    return (
        f'<rect x="{box.left:g}" y="{box.top:g}" width="{box.width:g}" height="{_HEIGHT}" rx="4" class="box"/>'
        f"{text}{escape(name)}</text>"
    )
