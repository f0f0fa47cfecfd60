from __future__ import annotations

from functools import partial
from typing import Final

from portico_console.console_app.screens.saved_filters import change_saved
from portico_console.console_app.screens.table import BY_KEY
from portico_console.console_app.users.access import show_access
from portico_console.console_app.users.filter import show_filter
from portico_console.console_app.users.grant_roles import grant_roles, show_grant
from portico_console.console_app.users.history import show_history
from portico_console.console_app.users.lost_device import report_lost_device, show_lost_device
from portico_console.console_app.users.new_user import show_new_user, submit_new_user
from portico_console.console_app.users.overview import show_overview
from portico_console.console_app.users.sign_in import show_sign_in
from portico_console.console_app.users.user_page import ONE
from portico_console.page_table import PageRow

_LISTS_OF_SIGN_IN: Final = ("sign-in", "factors", "passkeys", "security-keys", "sessions", "links")
"""The tab, and lists of screens that it shows: a confirmation of theirs returns to them."""

USER_PAGES: Final = (
    PageRow("/orgs/{org}/users/do/new", show_new_user, submit_new_user),
    PageRow("/orgs/{org}/users/do/filter", show_filter),
    PageRow("/orgs/{org}/users/do/filters", None, partial(change_saved, BY_KEY["users"])),
    PageRow(ONE, show_overview),
    *(PageRow(f"{ONE}/{word}", show_sign_in) for word in _LISTS_OF_SIGN_IN),
    PageRow(f"{ONE}/lost-device", show_lost_device, report_lost_device),
    PageRow(f"{ONE}/access", show_access),
    PageRow(f"{ONE}/grants/do/new", show_grant, grant_roles),
    PageRow(f"{ONE}/history", show_history),
)
