"""The documentation site: built strictly, complete, and without requests to other hosts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from documentation.diagrams import drawn
from documentation.links import MissingTarget, place_in, rewritten
from documentation.lists import indented
from documentation.navigation import navigation
from documentation.places import documents, place_of
from documentation.versions import write_versions
from generated_files import ROOT
from portico_contracts.error_texts import ERROR_TEXTS_FILE
from portico_contracts.topology import TOPOLOGY

_LOADED = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=["']?(?:https?:)?//[^"'> ]+""")
_IMPORTED = re.compile(r"""(?:url\(|@import )["']?(?:https?:)?//[^"') ]+""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "scripts/docs.py", "--to", str(folder), "--version", "1.2.3"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "1.2.3"


@pytest.mark.slow
def test_site_is_complete_and_self_contained(site: Path) -> None:
    """Links and anchors are valid, every document is a page and in llms.txt, and no page loads resources of
    another host.
    """
    pages = {place.replace("README.md", "index.md").removesuffix(".md") + ".html" for place in documents(ROOT).values()}
    listed = (site / "llms.txt").read_text()
    loaded = {
        f"{file.relative_to(site)}: {found}"
        for pattern, suffix in ((_LOADED, "html"), (_IMPORTED, "css"))
        for file in site.rglob(f"*.{suffix}")
        for found in pattern.findall(file.read_text())
    }

    assert {page for page in pages if not (site / page).is_file()} == set()
    assert {page for page in pages if f"]({page})" not in listed} == set()
    assert loaded == set()


@pytest.mark.slow
def test_errors_and_operations_can_be_linked_and_found(site: Path) -> None:
    """Each error has an anchor, each API operation has an address, and the search finds both."""
    ids = json.loads((ROOT / "libs/contracts/portico_contracts/generated" / ERROR_TEXTS_FILE).read_text())
    errors = (site / "generated" / "errors.html").read_text()
    users = (site / "reference" / "portico.user.v2.html").read_text()
    swagger = "".join(file.read_text() for file in (site / "reference").glob("swagger-*.html"))
    index = json.loads((site / "search" / "search_index.json").read_text())

    assert [id for id in ids if f'id="{id.lower()}"' not in errors] == []
    assert 'id="portico.user.v2.userservice.addhumanuser"' in users
    assert "POST /v2/users/human" in users
    assert "management-api.json" in swagger
    assert json.loads((site / "reference" / "management-api.json").read_text())["openapi"].startswith("3.1")
    ranks = {one["location"]: one.get("boost", 1) for one in index["docs"]}
    assert "reference/portico.user.v2.html" not in ranks
    assert ranks["guides/client-secrets.html"] > 1 > ranks["decisions/0062-client-secret-rotation.html"]
    assert ranks["generated/errors.html"] < 1


def test_links_are_rewritten(tmp_path: Path) -> None:
    """Links to documents, folders and source files lead to their pages, and code and external links are unchanged."""
    for name in (
        "README.md",
        "docs/guides/a.md",
        "services/token/README.md",
        "services/token/x.py",
        "docs/pictures/p.png",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    find = place_in(tmp_path, documents(tmp_path))

    def links(text: str) -> str:
        return rewritten(text, "docs/guides/a.md", "guides/a.md", find)

    assert links("[a](../../README.md#x) ![p](../pictures/p.png)") == "[a](../index.md#x) ![p](../pictures/p.png)"
    assert links("[t](../../services/token)") == "[t](../parts/services/token.md)"
    assert links("[t](../../services/token/x.py)") == "[t](../source/services/token/x.py.html)"
    assert (
        links("[h](https://x.test) [s](#x)\n```\n[n](none)\n```") == "[h](https://x.test) [s](#x)\n```\n[n](none)\n```"
    )
    with pytest.raises(MissingTarget, match="docs/guides/none"):
        links("[n](none)")


def test_commonmark_lists_are_reindented() -> None:
    """Nested items, paragraphs and code are indented by four spaces a level, and a list after a paragraph gets
    an empty line.
    """
    text = "Text.\n1. one\n   - two\n     more\n\n     ```\n       x\n     ```\n\n   para\n2. two\n\nOut.\n\n    code"

    assert indented(text).split("\n") == [
        *("Text.", "", "1. one", "    - two", "        more", "", "        ```", "          x", "        ```", ""),
        *("    para", "", "2. two", "", "Out.", "", "    code"),
    ]


def test_diagram_shows_the_topology() -> None:
    """Each service has its box, with a dot for each server that it uses."""
    diagram = (ROOT / "docs" / "pictures" / "architecture.svg").read_text()

    assert [name for name in TOPOLOGY if f">{name}</text>" not in diagram] == []
    assert diagram.count('class="dot"') == sum(len(one.servers) for one in TOPOLOGY.values())


def test_diagrams_are_drawn_in_the_page() -> None:
    """No page leaves the drawing to a script; a figure has each box and each arrow, and a circle ends."""
    text = "# A\n\n```mermaid\nflowchart TD\n    alone\n    a --> b\n    b --> c\n    c --> a\n```\n\nEnd."
    page = drawn(text)

    assert (page.startswith("# A\n\n<figure"), page.endswith("</figure>\n\nEnd.")) == (True, True)
    assert [page.count(f">{name}</text>") for name in ("alone", "a", "b", "c")] == [1] * 4
    assert page.count("marker-end=") == 3
    documents_with_diagrams = [path for path in documents(ROOT) if "```mermaid" in (ROOT / path).read_text()]
    assert [path for path in documents_with_diagrams if "mermaid" in drawn((ROOT / path).read_text())] == []
    assert documents_with_diagrams


def test_new_document_is_in_the_navigation() -> None:
    """A document appears below its folder at any depth, an unlisted folder becomes a section, and decisions are
    grouped by subject.
    """
    pages = [
        "index.md",
        "guides/b.md",
        "guides/a.md",
        "trust/model.md",
        "parts/deploy/helm/p.md",
        "decisions/README.md",
    ]
    decisions = ["decisions/0001-a.md", "decisions/0002-b.md"]
    found: list[Any] = navigation(pages + decisions, "# Decisions\n\n## Protocol\n\n- [0002](0002-b.md) B\n")

    assert found == [
        {"Start": ["index.md"]},
        {"Guides": ["guides/a.md", "guides/b.md"]},
        {"Decisions": ["decisions/README.md", {"Protocol": ["decisions/0002-b.md"]}, "decisions/0001-a.md"]},
        {"Parts": ["parts/deploy/helm/p.md"]},
        {"Trust": ["trust/model.md"]},
    ]
    assert place_of("examples/web/README.md") == "parts/examples/web.md"


def test_newest_version_is_the_first_page(tmp_path: Path) -> None:
    """The menu lists version folders by number and no other folders."""
    for name in ("0.9.0", "0.10.0", "assets"):
        (tmp_path / name).mkdir()
    write_versions(tmp_path)

    listed = json.loads((tmp_path / "versions.json").read_text())
    assert [(one["version"], one["aliases"]) for one in listed] == [("0.10.0", ["latest"]), ("0.9.0", [])]
    assert "url=0.10.0/index.html" in (tmp_path / "index.html").read_text()
