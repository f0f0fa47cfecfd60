"""Several versions side by side: one folder each, and the list that the menu of versions reads."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

_VERSION: Final = re.compile(r"\d+\.\d+\.\d+")
_REDIRECT: Final = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={0}/index.html"><title>Portico</title><a href="{0}/index.html">Portico {0}</a>\n'


def write_versions(site: Path) -> None:
    """Lists the versions in the folder, the newest first, and makes the newest the first page of the site."""
    found = [one.name for one in site.iterdir() if one.is_dir() and _VERSION.fullmatch(one.name)]
    newest_first = sorted(found, key=lambda one: tuple(map(int, one.split("."))), reverse=True)
    listed = [
        {"version": one, "title": one, "aliases": ["latest"] if one == newest_first[0] else []} for one in newest_first
    ]
    (site / "versions.json").write_text(json.dumps(listed, indent=1) + "\n")
    if newest_first:
        (site / "index.html").write_text(_REDIRECT.format(newest_first[0]))
