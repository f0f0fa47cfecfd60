"""Reads the frameworks code exists for."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

DATA: Final = files("portico_snippets") / "data"

FRAMEWORKS: Final = ("openid-client", "flask", "fastapi", "django", "spring", "go")
"""The folders of `data/`, the first one being the default."""


@dataclass(frozen=True, slots=True)
class Framework:
    """One framework.

    Attributes:
        title: library, framework and language.
        method: the client authentication method an application for it is registered with: what its library uses
            without configuration.
        methods: the text in the code that selects each client authentication method the library can use.
        prepare: shell command that installs what the code needs.
        run: shell command that starts it.
        files: text by relative path; with placeholders.
    """

    name: str
    title: str
    method: str
    methods: Mapping[str, str]
    prepare: str
    run: str
    files: Mapping[str, str]


@cache
def find_framework(name: str) -> Framework:
    """The framework of a folder.

    Raises:
        LookupError: when there is none of this name.
    """
    if name not in FRAMEWORKS:
        raise LookupError(name)
    folder = DATA / name
    about: dict[str, Any] = tomllib.loads((folder / "about.toml").read_text(encoding="utf-8"))
    texts = {file: (folder / f"{file}.in").read_text(encoding="utf-8") for file in about.pop("files")}
    return Framework(name=name, files=texts, **about)
