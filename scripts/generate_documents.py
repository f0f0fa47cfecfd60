"""Writes what is generated from the services' code; `generate.py` runs this module once the messages exist."""

from __future__ import annotations

import sys
from typing import Final

from generated_code.country_names import FOLDER, country_names
from generated_code.date_formats import FILE as DATES
from generated_code.date_formats import date_formats
from generated_code.field_texts import field_texts
from generated_code.messages import PACKAGE
from generated_code.openapi import openapi
from generated_code.permissions import proto_texts
from generated_files import Generated, compare_or_write
from generated_pages.compatibility_page import compatibility_page
from generated_pages.dependencies_page import dependencies_page
from generated_pages.errors_page import error_texts, errors_page
from generated_pages.grants_page import grants_page
from generated_pages.help_pages import FOLDER as HELP
from generated_pages.help_pages import help_pages
from generated_pages.imports_page import imports_page
from generated_pages.login_api import describe_login_api
from generated_pages.messages_page import messages_page
from generated_pages.routes_page import routes_page
from generated_pages.settings_page import settings_page
from generated_pages.stored_data_page import stored_data_page
from generated_pages.upgrade_notes import upgrade_notes
from generated_pages.zitadel_page import zitadel_page
from portico_contracts.error_texts import ERROR_TEXTS_FILE
from portico_stack import generated as deployment

DOCS: Final = "docs/generated"
OWNED: Final = (f"{DOCS}/**/*", f"{PACKAGE}/*.json", f"{FOLDER}/*.json", DATES, f"{HELP}/*.html")


def documents() -> Generated:
    """Pages, OpenAPI documents and deployment files."""
    wanted = {
        f"{DOCS}/compatibility.md": compatibility_page(),
        f"{DOCS}/dependencies.md": dependencies_page(),
        f"{DOCS}/errors.md": errors_page(),
        f"{PACKAGE}/{ERROR_TEXTS_FILE}": error_texts(),
        f"{DOCS}/grants.md": grants_page(),
        f"{DOCS}/imports.md": imports_page(),
        f"{DOCS}/login-api.json": describe_login_api(),
        f"{DOCS}/messages.md": messages_page(),
        f"{DOCS}/routes.md": routes_page(),
        f"{DOCS}/settings.md": settings_page(),
        f"{DOCS}/zitadel-calls.md": zitadel_page(),
        f"{DOCS}/stored-data.md": stored_data_page(),
        f"{DOCS}/upgrade-notes.md": upgrade_notes(),
        **country_names(),
        **date_formats(),
        **deployment.files(),
        **field_texts(),
        **help_pages(),
        **openapi(),
    }
    return Generated(OWNED, wanted)


def completed() -> Generated:
    """Hand-written files with some generated lines."""
    return Generated((), proto_texts())


if __name__ == "__main__":
    sys.exit(compare_or_write(documents(), sys.argv[1:]) or compare_or_write(completed(), sys.argv[1:]))
