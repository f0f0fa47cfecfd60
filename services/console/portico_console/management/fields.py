"""A message of the management API as proto3 JSON, in which whatever has its default value is absent."""

from __future__ import annotations

import json
from typing import Any


class Fields(dict[str, Any]):
    """The fields of a message. One that is absent is empty: false, without fields of its own, and nothing when it is shown."""

    def __missing__(self, name: str) -> Fields:
        """What templates get for an absent field."""
        return Fields()

    def __str__(self) -> str:
        """Nothing for an absent field."""
        return super().__repr__() if self else ""

    def __html__(self) -> str:
        """The same for templates, which would escape it."""
        if self:
            raise TypeError("a message is no text")
        return ""


def read_fields(body: bytes) -> Fields:
    """The message of an answer.

    Raises:
        ValueError: when it is no JSON object.
    """
    found = json.loads(body, object_hook=Fields)
    if not isinstance(found, Fields):
        raise ValueError("not an object")
    return found
