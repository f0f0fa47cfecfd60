"""Dependency injection by type."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any, TypeVar, get_type_hints

Made = TypeVar("Made")


class Parts:
    """Builds each part once, found by its type.

    A class of users is built from the parts that its parameters name by their types, when it is first needed;
    it is registered nowhere. What needs more is built by a function, found by its return type, or is added.
    An operation and its target name their parts as keyword-only parameters.
    """

    def __init__(self) -> None:
        self._parts: dict[object, object] = {}
        self._makers: dict[object, Callable[..., object]] = {}
        self.add(self)

    def add(self, part: object, kind: object = None) -> None:
        self._parts[kind or type(part)] = part

    def offer(self, *makers: Callable[..., object]) -> None:
        """Offers functions, each found by the type it returns."""
        for maker in makers:
            self._makers[_returned(maker)] = maker

    def find(self, kind: type[Made]) -> Made:
        """Raises `LookupError`, with the chain of types, if there is neither a part nor a maker."""
        part: Made | None = self._find(kind | None if (kind | None) in self._makers else kind)
        if part is None:
            raise LookupError(f"no {kind} in this installation")
        return part

    def find_optional(self, kind: type[Made]) -> Made | None:
        """Returns None for a part that this installation lacks, found by ``kind | None``."""
        part: Made | None = self._find(kind | None)
        return part

    def bind(self, function: Callable[..., Made]) -> Callable[..., Made]:
        given = {name: self._find(kind) for name, kind in _keyword_only(function).items()}
        return functools.partial(function, **given) if given else function

    def _find(self, kind: Any) -> Any:
        if kind not in self._parts:
            maker = self._makers.get(kind)
            if maker is None and not self._can_make(kind):
                raise LookupError(f"no part is a {kind}")
            try:
                self._parts[kind] = self._make(maker or kind)
            except LookupError as error:
                raise LookupError(f"{error}, for {kind}") from None
        return self._parts[kind]

    def _can_make(self, kind: Any) -> bool:
        return _is_ours(kind) and (kind | None) not in self._makers

    def _make(self, maker: Callable[..., Made]) -> Made:
        return maker(**{name: self._find(kind) for name, kind in _required(maker).items()})


# Cached: reading the types of 480 makers and 720 functions takes 100 ms, and tests create hundreds of services.
@functools.cache
def _required(maker: Callable[..., object]) -> dict[str, object]:
    plain_class = isinstance(maker, type) and not is_dataclass(maker)
    hints = get_type_hints(maker.__init__ if plain_class else maker)
    parameters = inspect.signature(maker).parameters.values()
    return {one.name: hints[one.name] for one in parameters if one.default is one.empty}


@functools.cache
def _is_ours(kind: Any) -> bool:
    ours = isinstance(kind, type) and kind.__module__.startswith("portico_users.")
    return ours and not getattr(kind, "_is_protocol", False)


@functools.cache
def _returned(maker: Callable[..., object]) -> object:
    return get_type_hints(maker)["return"]


@functools.cache
def _keyword_only(function: Callable[..., object]) -> dict[str, object]:
    hints = get_type_hints(function)
    parameters = inspect.signature(function).parameters.values()
    return {one.name: hints[one.name] for one in parameters if one.kind is one.KEYWORD_ONLY}
