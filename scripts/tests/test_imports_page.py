from __future__ import annotations

from generated_pages.imports_page import rooms_of
from grimp import ImportGraph


def test_rooms_are_boxes_and_imports_between_them_arrows() -> None:
    graph = ImportGraph()
    for module in (
        "portico_x",
        "portico_x.alone",
        "portico_x.a",
        "portico_x.a.deep",
        "portico_x.b",
        "portico_x.b.other",
    ):
        graph.add_module(module)
    graph.add_import(importer="portico_x.a.deep", imported="portico_x.b.other")
    graph.add_import(importer="portico_x.a.deep", imported="portico_x.a")

    assert rooms_of(graph, "portico_x").splitlines() == [
        "3 boxes, 1 arrows.",
        "",
        "```mermaid",
        "flowchart TD",
        "    alone",
        "    a --> b",
        "```",
    ]
