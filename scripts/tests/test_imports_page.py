from __future__ import annotations

from generated_pages.imports_page import matrix, rooms_of
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


def test_matrix_has_a_mark_for_each_import_and_puts_importers_first() -> None:
    """Of three that import each other in a circle, one mark is below the diagonal."""
    found = {("x.a", "x.c"), ("x.b", "x.a"), ("x.b", "x.c"), ("x.c", "x.b"), ("x.c", "x.d")}

    assert matrix(["x.a", "x.b", "x.c", "x.d"], found).splitlines() == [
        "4 rows, 5 marks.",
        "",
        "```text",
        "     1 2 3 4",
        "1 b  \\ x x",
        "2 a    \\ x",
        "3 c  x   \\ x",
        "4 d        \\",
        "```",
    ]
