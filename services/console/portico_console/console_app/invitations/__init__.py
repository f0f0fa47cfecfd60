from __future__ import annotations

from typing import Final

from portico_console.console_app.invitations.page import retry_invite, send_invite, show_invite
from portico_console.console_app.invitations.several import retry_several
from portico_console.page_table import PageRow

INVITATION_PAGES: Final = tuple(
    row
    for base in ("/orgs/{org}/invite", "/instance/invite")
    for row in (
        PageRow(base, show_invite, send_invite),
        PageRow(f"{base}/retry", None, retry_invite),
        PageRow(f"{base}/several", None, retry_several),
    )
)
