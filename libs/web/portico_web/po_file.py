from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

Messages = dict[str, tuple[str, ...]]
"""By msgid: the translation, or one per plural form. The header is the message with the empty id."""

_LINE: Final = re.compile(r'(?:(msgid_plural|msgid|msgstr)(?:\[[0-9]\])? )?("(?:[^"\\]|\\.)*")\s*\Z')


def read_po(text: str) -> Messages:
    """Returns the translated messages, without fuzzy and untranslated ones."""
    messages: Messages = {}
    for entry in _entries(text):
        ids, strings = _read_entry(entry)
        if ids[0] in messages:
            raise ValueError(f"the message {ids[0]!r} is there twice")
        if all(strings):
            messages[ids[0]] = strings
    return messages


def _entries(text: str) -> Iterator[list[str]]:
    for block in re.split(r"\n\s*\n", text):
        lines = [line for line in block.splitlines() if line.strip()]
        fuzzy = any(line.startswith("#,") and "fuzzy" in line for line in lines)
        if entry := [line for line in lines if not line.startswith("#") and not fuzzy]:
            yield entry


def _read_entry(lines: list[str]) -> tuple[list[str], tuple[str, ...]]:
    ids: list[str] = []
    strings: list[str] = []
    for line in lines:
        found = _LINE.match(line)
        if found is None:
            raise ValueError(f"not understood: {line!r}")
        part: str = json.loads(found[2])  # the escapes of a PO file are among those of JSON
        if found[1]:
            (strings if found[1] == "msgstr" else ids).append(part)
        else:
            (strings or ids)[-1] += part
    return ids, tuple(strings)
