"""Documents in examples and guides are accepted by the reader of ``portico apply``."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Final

import msgspec
import pytest
import yaml
from portico_contracts.apply import Document, OidcApp, OidcIdp, Organization, Project
from portico_contracts.documents.reading import DocumentError, read_document

ROOT: Final = Path(__file__).resolve().parents[3]
IN_ACME: Final = "organizations:\n  - name: Acme\n"
IN_SHOP: Final = IN_ACME + "    projects:\n      - name: Shop\n"
PLACES: Final = (
    (Document, "", ""),
    (Organization, IN_ACME, " " * 4),
    (
        OidcIdp,
        IN_ACME
        + "    oidcIdps:\n      - name: Login\n        issuer: https://idp.example\n        clientId: portico\n",
        " " * 8,
    ),
    (Project, IN_SHOP, " " * 8),
    (OidcApp, IN_SHOP + "        oidcApps:\n          - name: Web\n", " " * 12),
)
"""Where a part of a document may belong, by its first name."""

_BLOCK: Final = re.compile(r"^( *)```yaml\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_VARIABLE: Final = re.compile(r"\$\{(\w+)")


def documents() -> dict[str, list[str]]:
    """Returns the files of examples, and the blocks of guides that may be a document or a part of one, in each place."""
    found = {str(path.relative_to(ROOT)): [path.read_text()] for path in sorted(ROOT.glob("examples/**/portico.yaml"))}
    for guide in sorted(ROOT.glob("docs/guides/*.md")):
        for number, block in enumerate(_BLOCK.finditer(guide.read_text()), 1):
            if wholes := in_place(textwrap.dedent(block[2])):
                found[f"{guide.stem} {number}"] = wholes
    return found


def in_place(part: str) -> list[str]:
    first = next(iter(yaml.safe_load(part)))
    return [
        above + textwrap.indent(part, indent)
        for kind, above, indent in PLACES
        if first in {field.encode_name for field in msgspec.structs.fields(kind)}
    ]


def error_of(text: str) -> str:
    """Returns why the document is refused; empty if it is not."""
    try:
        read_document(text, "", dict.fromkeys(_VARIABLE.findall(text), "x" * 16))
    except DocumentError as error:
        return str(error)
    return ""


DOCUMENTS: Final = documents()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_printed_document_is_read(name: str) -> None:
    """Names and values are those of this version."""
    errors = [error_of(text) for text in DOCUMENTS[name]]

    assert "" in errors, errors
