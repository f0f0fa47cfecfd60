from __future__ import annotations

from typing import Final

from portico_contracts.http import ACCOUNT, DISCOVERY, END_SESSION
from portico_contracts.login import Accounts, GetAccounts
from portico_contracts.login_calls import ASK_ACCOUNTS
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.flow import Flow, own_page

_NAME: Final = "Portico"


class HomePage(Flow):
    """Read-only, and without permissions: the console is linked for all users, and refuses those without
    a role itself. Logout is a link to the end_session_endpoint, which requests confirmation.
    """

    async def show(self, request: Request) -> Response:
        browser = self._cookie.read(request.headers.get("cookie"))
        found = await self._authz.call(ASK_ACCOUNTS, GetAccounts(browser=browser)) if browser else Accounts()
        return own_page(
            "home.html",
            request,
            name=_NAME,
            accounts=found.accounts,
            account=ACCOUNT,
            console=self._console,
            discovery=DISCOVERY,
            end_session=END_SESSION,
        )
