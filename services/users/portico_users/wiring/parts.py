"""The parts of the service by their types, and what is made of them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

from portico_users.commands.command import Assembled

Made = TypeVar("Made")


class Parts:
    """Every part once, found by the type that whoever needs it names.

    An `Assembled` class (a command is one) names its parts as fields, an operation and its target as keyword-only
    parameters.
    """

    def __init__(self) -> None:
        self._parts: dict[Any, Any] = {}

    def add(self, part: object, kind: object = None) -> None:
        """Adds a part.

        Args:
            kind: what it is found by, where that is not its own class: a protocol, a NewType.
        """
        self._parts[kind or type(part)] = part

    def find(self, kind: type[Made]) -> Made:
        """The part of a type.

        Raises:
            LookupError: there is none, and it is not `Assembled`.
        """
        if kind not in self._parts:
            if not (isinstance(kind, type) and issubclass(kind, Assembled)):
                raise LookupError(f"no part is a {kind}")
            hints = get_type_hints(kind)
            self._parts[kind] = kind(**{name: self.find(hints[name]) for name in inspect.signature(kind).parameters})
        part: Made = self._parts[kind]
        return part

    def bind(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function with its keyword-only parameters given."""
        hints = get_type_hints(function)
        named = [one.name for one in inspect.signature(function).parameters.values() if one.kind is one.KEYWORD_ONLY]
        given = {name: self.find(hints[name]) for name in named}
        return functools.partial(function, **given) if given else function
