from __future__ import annotations

import pytest
from grimp import ImportGraph
from import_features import FeaturesContract

CONTRACT = FeaturesContract(
    "features",
    {},
    {"container": "house", "beside": ["api_steps", "journal"], "calls_only": ["messages_of_calls"]},
)

ALLOWED = [
    ("house.users.commands.register", "house.users.store"),
    ("house.users.commands.register", "house.groups.edit_groups"),
    ("house.users.api.operations", "house.users.commands"),
    ("house.users.api.operations", "house.groups.targets"),
    ("house.users.api.operations", "messages_of_calls.users"),
    ("house.users.document", "house.groups.document"),
    ("house.users.store", "house.groups.store"),
    ("house.users.store", "house.journal"),
    ("house.api_steps", "house.users.api.operations"),
    ("other.module", "house.users.commands"),
]
REFUSED = [
    ("house.users.store", "house.groups.commands"),
    ("house.users.commands", "house.groups.commands.nest"),
    ("house.users.api.operations", "house.groups.api.operations"),
    ("house.users.api.operations", "house.groups.commands"),
    ("house.users.document", "house.groups.commands"),
    ("house.users.store", "house.users.commands.register"),
    ("house.users.commands", "house.users.api"),
    ("house.users.api", "house.users.document"),
    ("house.users.commands", "house.groups.targets"),
    ("house.users.commands", "messages_of_calls"),
]


def graph_of(importer: str, imported: str) -> ImportGraph:
    graph = ImportGraph()
    graph.add_module("house")
    graph.add_import(importer=importer, imported=imported)
    return graph


@pytest.mark.parametrize(("importer", "imported"), ALLOWED)
def test_open_modules_may_be_imported(importer: str, imported: str) -> None:
    assert CONTRACT.check(graph_of(importer, imported), verbose=False).kept


@pytest.mark.parametrize(("importer", "imported"), REFUSED)
def test_what_belongs_to_one_feature_is_refused_and_shown(
    importer: str, imported: str, capsys: pytest.CaptureFixture[str]
) -> None:
    check = CONTRACT.check(graph_of(importer, imported), verbose=False)
    CONTRACT.render_broken_contract(check)

    assert not check.kept
    assert f"{importer} imports {imported}" in capsys.readouterr().out
