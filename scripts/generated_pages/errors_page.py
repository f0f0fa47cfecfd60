"""docs/generated/errors.md: every error code."""

from __future__ import annotations

import importlib
import json
import pkgutil
from itertools import groupby
from typing import Final

from portico_oauth.errors import ERROR_CODES, TABLE, ErrorCode
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
    "portico_console",
)
"""Packages that declare error codes."""


def errors_page() -> str:
    facts = sorted(all_error_codes(), key=lambda error_code: error_code.id)
    sections: list[str] = []
    for prefix, group in groupby(facts, key=lambda error_code: error_code.id.partition("-")[0]):
        sections += [
            f"## {prefix}",
            table(["Id", "Text", "What to do", "Kind", "OAuth", "Management"], map(_row, group)),
        ]
    return page_of(
        "Errors",
        "Pages, errors of the management API and logs contain the id. OAuth error responses contain the code and the text. "
        "Link to an error by its id in lower case: `errors.md#user-303`.",
        *sections,
    )


def error_texts() -> str:
    """Returns text and fix of every error code as JSON, for services that explain the errors of others."""
    codes = sorted(all_error_codes(), key=lambda error_code: error_code.id)
    return (
        json.dumps({one.id: {"text": one.text, "fix": one.fix} for one in codes}, indent=1, ensure_ascii=False) + "\n"
    )


def all_error_codes() -> list[ErrorCode]:
    """Imports every module that declares an error code, and returns them all."""
    for package in PACKAGES:
        _import_all(package)
    return list(ERROR_CODES.values())


def _import_all(package: str) -> None:
    root = importlib.import_module(package)
    for found in pkgutil.walk_packages(root.__path__, f"{package}."):
        if not found.name.endswith(".__main__"):
            importlib.import_module(found.name)


def _row(error_code: ErrorCode) -> list[str]:
    rendering = TABLE[error_code.kind]
    return [
        f'{code(error_code.id)}<a id="{error_code.id.lower()}"></a>',
        error_code.text,
        error_code.fix,
        error_code.kind.value.replace("_", " "),
        f"{rendering.status} {code(rendering.oauth)}",
        f"{management_status(error_code.kind)}, code {rendering.rpc}",
    ]
