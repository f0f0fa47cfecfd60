"""The navigation by folder: a document that is added appears, without a list of all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatch
from typing import Any, Final

SECTIONS: Final = (
    (
        "Start",
        ("index.md", "quickstart.md", "guides/running-locally.md", "project/architecture.md", "guides/development.md"),
    ),
    ("Guides", ("guides/*.md",)),
    ("API", ("reference/management-api.md", "reference/login-api.md", "reference/*.md")),
    ("Security", ("security/*.md", "privacy.md", "project/security.md")),
    ("Reference", ("generated/*.md", "metrics.md", "conformance.md", "performance.md", "[a-z]*.md")),
    ("Examples", ("parts/examples.md", "parts/examples/*.md")),
    ("Decisions", ("decisions/*.md",)),
    ("Parts", ("parts/services/*.md", "parts/libs/*.md", "parts/tools/*.md", "parts/*.md")),
    ("Project", ("project/*.md", "releases/*.md")),
)
"""Title, and patterns in order. A page belongs to the first section with a pattern that fits; others to the one named after its folder."""

_SUBJECT: Final = re.compile(r"^## (.+)$|\]\((\d{4}-[a-z0-9-]+\.md)\)", re.MULTILINE)


def navigation(pages: Iterable[str], decisions: str) -> list[Any]:
    """The navigation as mkdocs reads it.

    Args:
        pages: the places of all pages.
        decisions: the index of decisions, whose headings are the subjects.
    """
    left = sorted(pages)
    found: dict[str, list[str]] = {title: [] for title, _patterns in SECTIONS}
    for title, patterns in SECTIONS:
        for pattern in patterns:
            found[title] += [page for page in left if fnmatch(page, pattern) and _same_depth(page, pattern)]
            left = [page for page in left if page not in found[title]]
    for page in left:
        found.setdefault(page.partition("/")[0].replace("-", " ").capitalize(), []).append(page)
    return [
        {title: by_subject(members, decisions) if title == "Decisions" else members}
        for title, members in found.items()
        if members
    ]


def by_subject(members: list[str], index: str) -> list[Any]:
    """The decisions below the headings of their index; one that is in none comes at the end."""
    sections: list[tuple[str, list[str]]] = []
    listed = {"decisions/README.md"}
    for heading, name in _SUBJECT.findall(index):
        if heading:
            sections.append((heading, []))
        elif sections and (place := f"decisions/{name}") in members and place not in listed:
            sections[-1][1].append(place)
            listed.add(place)
    others = [page for page in members if page not in listed]
    return ["decisions/README.md", *({title: pages} for title, pages in sections if pages), *others]


def _same_depth(page: str, pattern: str) -> bool:
    """`fnmatch` lets an asterisk match slashes; here `guides/*.md` means that folder alone."""
    return page.count("/") == pattern.count("/")
