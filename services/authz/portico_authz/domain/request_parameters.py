from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import overload

from portico_oauth.parameters import Parameters


class RequestParameters:
    """The declared parameters of a request; reading another one is a programming error.

    An undeclared parameter is not stored while the end user signs in: its check would pass every resumed
    request. Repeats are recorded for declared parameters only (AZ-19).
    """

    __slots__ = ("_sent", "readable", "repeated")

    def __init__(self, sent: Parameters, declared: frozenset[str]) -> None:
        self._sent = sent
        self.readable = declared
        self.repeated = sent.repeated & declared

    def __getitem__(self, name: str) -> str:
        if name not in self.readable:
            raise _undeclared(name)
        return self._sent[name]

    def __contains__(self, name: str) -> bool:
        if name not in self.readable:
            raise _undeclared(name)
        return name in self._sent

    @overload
    def get(self, name: str) -> str | None: ...

    @overload
    def get(self, name: str, default: str) -> str: ...

    def get(self, name: str, default: str | None = None) -> str | None:
        if name not in self.readable:
            raise _undeclared(name)
        return self._sent.get(name, default)

    def select(self, names: Collection[str]) -> dict[str, str]:
        if not self.readable.issuperset(names):
            raise _undeclared(" or ".join(set(names) - self.readable))
        return {name: self._sent[name] for name in names if name in self._sent}

    def replaced_by(self, stored: Mapping[str, str]) -> RequestParameters:
        return RequestParameters(Parameters(stored.items()), self.readable)


def _undeclared(name: str) -> LookupError:
    return LookupError(f"the parameter {name} is not declared by the check that reads it")
