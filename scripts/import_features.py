"""The import contract of services whose folders are features, for import-linter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

_COMMANDS, _API, _DOCUMENT, _CALLS = "commands", "api", "document", "calls"
_PARTS = {
    "commands": _COMMANDS,
    "api": _API,
    "document": _DOCUMENT,
    "grant_document": _DOCUMENT,
    "export": _DOCUMENT,
    "targets": _CALLS,
    "messages": _CALLS,
}
_BELOW = {
    "": {""},
    _COMMANDS: {"", _COMMANDS},
    _CALLS: {"", _CALLS},
    _API: {"", _COMMANDS, _CALLS, _API},
    _DOCUMENT: {"", _COMMANDS, _DOCUMENT},
}
"""By part, the parts of its own feature that it may import."""
_OPEN = {"": {""}, _COMMANDS: {""}, _CALLS: {"", _CALLS}, _API: {"", _CALLS}, _DOCUMENT: {"", _DOCUMENT}}
"""By part, the parts of other features that it may import."""


class _Place(NamedTuple):
    feature: str
    part: str


class FeaturesContract(Contract):
    """A feature takes from another only what lies openly in its folder; never its commands or its API.

    Configuration options:
        - container:  the package whose packages are features.
        - beside:     its modules and packages that are not features.
        - calls_only: packages that only a feature's API imports.
    """

    container: Any = fields.StringField()
    beside: Any = fields.SetField(subfield=fields.StringField())
    calls_only: Any = fields.SetField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        broken = [
            f"{importer} imports {imported}"
            for importer in sorted(graph.find_descendants(self.container))
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if not self._allows(importer, imported)
        ]
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for line in check.metadata["broken"]:
            output.print_error(line)

    def _allows(self, importer: str, imported: str) -> bool:
        source, target = self._place(importer), self._place(imported)
        if source is None:
            return True
        if target is None:
            return source.part in (_API, _CALLS) or not any(_within(imported, one) for one in self.calls_only)
        allowed = _BELOW if source.feature == target.feature else _OPEN
        return target.part in allowed[source.part]

    def _place(self, module: str) -> _Place | None:
        parts = list(self._parts(module))
        if not parts or parts[0] in self.beside:
            return None
        return _Place(parts[0], _PARTS.get(parts[1], "") if len(parts) > 1 else "")

    def _parts(self, module: str) -> Iterator[str]:
        if module.startswith(f"{self.container}."):
            yield from module.removeprefix(f"{self.container}.").split(".")


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")
