"""Files and folders of the repository that documents link to, as pages without scripts."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Final

_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex"><title>{title}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>body{{font:15px system-ui;margin:1.5rem}}pre{{overflow-x:auto}}</style></head>
<body><h1>{title}</h1><pre>{text}</pre></body></html>
"""
_LONGEST: Final = 400_000


def source_page(root: Path, path: str) -> str:
    """A file with its text, or a folder with the names in it."""
    there = root / path
    text = _names(there) if there.is_dir() else there.read_text(errors="replace")[:_LONGEST]
    return _PAGE.format(title=html.escape(path), text=html.escape(text))


def _names(folder: Path) -> str:
    names = [f"{one.name}/" if one.is_dir() else one.name for one in folder.iterdir()]
    return "\n".join(sorted(name for name in names if not name.startswith((".", "__pycache__"))))
