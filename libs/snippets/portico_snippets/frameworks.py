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
"""The folders of `data/`; the first is the default."""


@dataclass(frozen=True, slots=True)
class Framework:
    """One framework.

    Attributes:
        title: library, framework and language.
        method: the client authentication method to register: the default of the library.
        methods: the code that selects each supported client authentication method.
        prepare: shell command that installs the dependencies.
        run: shell command that starts the code.
        files: text by relative path; with placeholders.
        redirect_path: a fixed path of the redirect URI; empty for any.
        roles_claim: the claim with a list of roles; empty for none.
        plain: the file format has no string literals, so unusual characters are rejected.
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
    """Raises LookupError: there is no such framework."""
    if name not in FRAMEWORKS:
        raise LookupError(name)
    folder = DATA / name
    about: dict[str, Any] = tomllib.loads((folder / "about.toml").read_text(encoding="utf-8"))
    texts = {file: (folder / f"{file}.in").read_text(encoding="utf-8") for file in about.pop("files")}
    return Framework(name=name, files=texts, **about)
