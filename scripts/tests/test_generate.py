"""What is generated, and how a difference is found."""

from __future__ import annotations

from pathlib import Path

import generate
from generated_pages.errors_page import all_facts, errors_page
from generated_pages.markdown import table
from generated_pages.messages_page import messages_page
from generated_pages.routes_page import routes_page
from generated_pages.settings_page import settings_page
from portico_contracts.catalogue import EVENTS, RPCS
from portico_contracts.http import GATEWAY
from portico_runtime.settings import Section


def test_every_subject_is_on_the_page() -> None:
    """The message table leaves nothing out."""
    page = messages_page()

    assert all(f"`{entry}`" in page for entry in [*(rpc.subject for rpc in RPCS), *(event.subject for event in EVENTS)])


def test_every_fact_is_on_the_page() -> None:
    """Facts of all services, each with its text."""
    page, facts = errors_page(), all_facts()

    assert {"OAUTH", "WEB", "KEYS", "PORT"} <= {fact.id.partition("-")[0] for fact in facts}
    assert all(f"`{fact.id}`" in page for fact in facts)


def test_every_path_is_on_the_page() -> None:
    """The route table leaves nothing out."""
    assert all(f"`{route.path}`" in routes_page() for route in GATEWAY)


def test_every_setting_is_on_the_page_and_no_secret() -> None:
    """Secrets have no default to show."""
    page = settings_page()
    fields = {
        name
        for section in Section.__subclasses__()
        if "portico_runtime" in section.__module__
        for name in section.model_fields
    }

    assert all(f"`PORTICO_{name.upper()}`" in page for name in fields)
    assert "**" not in page


def test_a_bar_in_a_cell_does_not_make_a_column() -> None:
    """Text of the code cannot break a table."""
    assert table(["a"], [["x|y\nz"]]).splitlines()[-1] == "| x\\|y z |"


def test_differences_are_missing_changed_and_stale_files(tmp_path: Path) -> None:
    """All three are found and put right, and nothing else is touched."""
    docs = tmp_path / "docs" / "generated"
    docs.mkdir(parents=True)
    (docs / "same.md").write_text("same")
    (docs / "changed.md").write_text("old")
    (docs / "stale.md").write_text("stale")
    (tmp_path / "docs" / "guide.md").write_text("by hand")
    wanted = {
        f"docs/generated/{name}.md": text for name, text in (("same", "same"), ("changed", "new"), ("missing", "m"))
    }
    before = generate.differing(tmp_path, wanted)
    generate.write(tmp_path, wanted)

    assert before == ["docs/generated/changed.md", "docs/generated/missing.md", "docs/generated/stale.md"]
    assert generate.differing(tmp_path, wanted) == []
    assert (tmp_path / "docs" / "guide.md").read_text() == "by hand"
