"""The guides that the console shows as its help, as HTML; other links than those between them are left out."""

from __future__ import annotations

import posixpath
import re
from typing import Any, Final

import markdown
from documentation.lists import indented
from generated_files import ROOT
from portico_console.console_app.screens.guides import GUIDES
from pymdownx import slugs

FOLDER: Final = "services/console/portico_console/guides"
_DECISION: Final = re.compile(r"\s*\(\[[^\]]*\]\(\.\./decisions/[^)]*\)\)")
_DECISIONS: Final = re.compile(r"^Decisions?: .*?\n(?=\n|\Z)", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r'<a href="([^"]*)">(.*?)</a>', re.DOTALL)
_EXTENSIONS: Final = ("toc", "tables", "sane_lists", "pymdownx.superfences")
# Untyped; the same as in mkdocs.yml.
_slugify: Any = slugs.slugify
_SETTINGS: Final[dict[str, dict[str, Any]]] = {
    "toc": {"slugify": _slugify(case="lower")},
    "tables": {"use_align_attribute": True},
    "pymdownx.superfences": {"css_class": "code"},
    "pymdownx.highlight": {"use_pygments": False},
}


def help_pages() -> dict[str, str]:
    return {f"{FOLDER}/{name}.html": page_of((ROOT / f"docs/guides/{name}.md").read_text()) for name in GUIDES}


def page_of(text: str) -> str:
    """References to decisions, in parentheses or as a paragraph, are left out: they are for developers."""
    html = markdown.markdown(
        indented(_DECISIONS.sub("", _DECISION.sub("", text))),
        extensions=[*_EXTENSIONS, "pymdownx.highlight"],
        extension_configs=_SETTINGS,
        output_format="html",
    )
    return _LINK.sub(_linked, html) + "\n"


def _linked(found: re.Match[str]) -> str:
    target, text = found[1], found[2]
    path, _, section = target.partition("#")
    if target.startswith("https://"):
        return f'<a href="{target}" rel="noopener noreferrer">{text}</a>'
    guide = posixpath.basename(path).removesuffix(".md")
    if not path and section:
        return f'<a href="#{section}">{text}</a>'
    if posixpath.dirname(path) == "" and guide in GUIDES:
        return f'<a href="{guide}{f"#{section}" if section else ""}">{text}</a>'
    return text
