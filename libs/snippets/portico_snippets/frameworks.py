from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

DATA: Final = files("portico_snippets") / "data"
API_DATA: Final = files("portico_snippets") / "apis"

FRAMEWORKS: Final = (
    "openid-client", "nextjs", "next-auth-4", "flask", "fastapi", "django", "streamlit", "spring", "micronaut",
    "aspnet", "go", "laravel", "react-oidc-context", "oidc-spa", "msal-browser", "oauth2-proxy", "mod-auth-openidc",
    "grafana", "gitlab", "nextcloud", "argocd", "kubelogin", "device-code", "generic",
)  # fmt: skip
"""The folders of `data/`; the first is the default."""

API_FRAMEWORKS: Final = ("fastapi", "express", "spring", "go")
"""The folders of `apis/`, for APIs that check access tokens; the first is the default."""


@dataclass(frozen=True, slots=True)
class Framework:
    """One framework.

    `methods` has the code for each client authentication method, `method` is the library's default. `files`
    is text by relative path, with placeholders. `device`: it signs users in by device codes, without a redirect
    URI. `resource` has the code that sends the resource of an API. `userinfo_in_id_token`: the library reads the claims of users from the id_token only (decision 0118).
    `proofs` has the text of placeholders for applications that require DPoP; without it the code sends no proofs.
    `plain`: the file format has no string literals, so unusual
    characters are rejected.
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
    device: bool = False
    userinfo_in_id_token: bool = False
    resource: str = ""
    proofs: Mapping[str, str] = field(default_factory=dict)


@cache
def find_framework(name: str) -> Framework:
    """Raises LookupError for an unknown framework."""
    if name not in FRAMEWORKS:
        raise LookupError(name)
    return _read(DATA / name, name)


@cache
def find_api_framework(name: str) -> Framework:
    """Raises LookupError for an unknown framework of APIs."""
    if name not in API_FRAMEWORKS:
        raise LookupError(name)
    return _read(API_DATA / name, name)


def _read(folder: Traversable, name: str) -> Framework:
    about: dict[str, Any] = tomllib.loads((folder / "about.toml").read_text(encoding="utf-8"))
    texts = {file: (folder / f"{file}.in").read_text(encoding="utf-8") for file in about.pop("files")}
    return Framework(name=name, files=texts, **about)
