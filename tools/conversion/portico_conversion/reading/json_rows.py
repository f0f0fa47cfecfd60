from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from portico_conversion.findings import Place
from portico_conversion.reading.json_stream import JsonStream
from portico_conversion.reading.text_files import opened


def rows_of(
    path: Path, member: str = "", others: Callable[[Place, str], None] = lambda _place, _name: None
) -> Iterator[tuple[Place, Any]]:
    """Yields the objects of an array, of lines of JSON, or of the array in a `member` of an object.

    `others` gets the names of the other members of that object.
    """
    with opened(path) as text:
        stream = JsonStream(text, path.name)
        while stream.peek():
            if stream.peek() == "[":
                for _ in stream.items():
                    yield stream.place, stream.value()
                continue
            place = stream.place
            value = stream.value()
            if member and isinstance(value, dict) and isinstance(value.get(member), list):
                yield from ((place, one) for one in value[member])
                for name in value:
                    if name != member:
                        others(place, name)
            else:
                yield place, value
