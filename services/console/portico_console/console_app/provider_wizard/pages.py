from __future__ import annotations

from typing import Final

from portico_console.console_app.provider_wizard.new_provider import (
    add_provider,
    change_provider,
    show_edit,
    show_new,
)
from portico_console.console_app.provider_wizard.provider_page import set_button, show_button, show_provider
from portico_console.console_app.provider_wizard.trial import TEST_PATH, finish_test, show_test, start_test
from portico_console.page_table import PageRow

PROVIDER_PAGES: Final = (
    PageRow(TEST_PATH, finish_test),
    *(
        row
        for place in ("/orgs/{org}", "/instance")
        for row in (
            PageRow(f"{place}/providers/new", show_new, add_provider),
            PageRow(f"{place}/idps/{{idp}}", show_provider),
            PageRow(f"{place}/idps/{{idp}}/edit", show_edit, change_provider),
            PageRow(f"{place}/idps/{{idp}}/button", show_button, set_button),
            PageRow(f"{place}/idps/{{idp}}/test", show_test, start_test),
        )
    ),
)
"""The pages of identity providers, of organizations and of the instance. Their list is a screen."""
