"""Reads the frameworks and programs there is finished code or configuration for."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

DATA: Final = files("portico_snippets") / "data"

FRAMEWORKS: Final = (
    "openid-client", "nextjs", "flask", "fastapi", "django", "spring", "aspnet", "go", "laravel", "oauth2-proxy",
    "mod-auth-openidc", "grafana", "gitlab", "nextcloud", "argocd", "kubelogin", "generic",
)  # fmt: skip
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
        redirect_path: the path of the redirect address where the program decides it; empty where any will do.
        roles_claim: the claim in which it expects the roles as a list; empty where it uses none.
        plain: the language of its files has no string literal that holds any value: unusual characters are refused.
    """

    name: str
    title: str
    method: str
    methods: Mapping[str, str]
    prepare: str
    run: str
    files: Mapping[str, str]
    redirect_path: str = ""
    roles_claim: str = ""
    plain: bool = False


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
