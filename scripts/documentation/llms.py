"""llms.txt: every page with its title, and llms-full.txt with their texts, for programs that read documents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageText:
    """A page as Markdown, with its place in the navigation."""

    section: str
    title: str
    url: str
    text: str


def index(name: str, summary: str, pages: Iterable[PageText]) -> str:
    """The form of llmstxt.org: name, summary, and a list of links for each section."""
    sections: dict[str, list[str]] = {}
    for page in pages:
        sections.setdefault(page.section, []).append(f"- [{page.title}]({page.url})")
    parts = [
        f"# {name}",
        f"> {summary}",
        *(f"## {section}\n\n" + "\n".join(links) for section, links in sections.items()),
    ]
    return "\n\n".join(parts) + "\n"


def full(name: str, summary: str, pages: Iterable[PageText]) -> str:
    """All texts in the order of the navigation."""
    return (
        "\n\n".join([f"# {name}", f"> {summary}", *(f"<!-- {page.url} -->\n\n{page.text.strip()}" for page in pages)])
        + "\n"
    )
