from __future__ import annotations

import pytest
from grimp import ImportGraph
from import_circles import NoCircles

CONTRACT = NoCircles("no circles", {}, {})


def graph_of(*imports: tuple[str, str]) -> ImportGraph:
    graph = ImportGraph()
    for importer, imported in imports:
        graph.add_import(importer=importer, imported=imported)
    return graph


def test_circle_is_refused_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    check = CONTRACT.check(graph_of(("a", "b"), ("b", "c"), ("c", "b")), verbose=False)
    CONTRACT.render_broken_contract(check)

    assert not check.kept
    assert " imports ".join(check.metadata["circle"]) in {"b imports c imports b", "c imports b imports c"}
    assert "b imports c" in capsys.readouterr().out


def test_two_ways_to_one_module_are_no_circle() -> None:
    assert CONTRACT.check(graph_of(("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")), verbose=False).kept
