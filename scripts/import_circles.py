from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output


class NoCircles(Contract):
    """Modules import each other in one direction only, also inside functions and for types.

    A contract of import-linter, which has the graph of all imports.
    """

    type_name = "no_circles"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        try:
            TopologicalSorter(
                {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
            ).prepare()
        except CycleError as error:
            return ContractCheck(kept=False, metadata={"circle": error.args[1][::-1]})
        return ContractCheck(kept=True)

    def render_broken_contract(self, check: ContractCheck) -> None:
        output.print_error(" imports ".join(check.metadata["circle"]))
        output.print_error("Pass the value, or move what both need into a module below.")
