"""docs/generated/errors.md: every fact of the product."""

from __future__ import annotations

import importlib
import pkgutil
from itertools import groupby
from typing import Final

from portico_oauth.errors import FACTS, TABLE, Fact
from portico_web.surfaces import management_status

from generated_pages.markdown import code, page_of, table

PACKAGES: Final = (
    "portico_oauth",
    "portico_contracts",
    "portico_web",
    "portico_runtime",
    "portico_authz",
    "portico_token",
    "portico_keys",
    "portico_users",
    "portico_login_ui",
)
"""Where facts are declared."""


def errors_page() -> str:
    """All facts by their prefix, with how each looks on every surface."""
    facts = sorted(all_facts(), key=lambda fact: fact.id)
    sections: list[str] = []
    for prefix, group in groupby(facts, key=lambda fact: fact.id.partition("-")[0]):
        sections += [
            f"## {prefix}",
            table(["Id", "Kind", "OAuth", "Management", "Text", "What to do"], map(_row, group)),
        ]
    return page_of(
        "Errors",
        "Pages, management errors and logs name the id. OAuth answers carry the code and the text.",
        *sections,
    )


def all_facts() -> list[Fact]:
    """Every fact, once all modules that declare one are imported."""
    for package in PACKAGES:
        _import_all(package)
    return list(FACTS.values())


def _import_all(package: str) -> None:
    root = importlib.import_module(package)
    for found in pkgutil.walk_packages(root.__path__, f"{package}."):
        if not found.name.endswith(".__main__"):
            importlib.import_module(found.name)


def _row(fact: Fact) -> list[str]:
    rendering = TABLE[fact.kind]
    return [
        code(fact.id),
        fact.kind.value.replace("_", " "),
        f"{rendering.status} {code(rendering.oauth)}",
        f"{management_status(fact.kind)}, code {rendering.rpc}",
        fact.text,
        fact.fix,
    ]
