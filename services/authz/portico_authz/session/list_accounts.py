"""Who is signed in in a browser, for the page of the issuer itself."""

from __future__ import annotations

from portico_contracts.login import Accounts, GetAccounts

from portico_authz.desk import Desk
from portico_authz.session.accounts import account_of
from portico_authz.session.find_sessions import find_signed_in


async def list_accounts(desk: Desk, ask: GetAccounts) -> Accounts:
    """The accounts of live sessions whose users are active. Reads only: no session is used or prolonged by it.

    Raises:
        ServiceError: UNAVAILABLE when sessions or users cannot be asked.
    """
    browser = await desk.stores.browsers.find(ask.browser)
    if browser is None:
        return Accounts()
    found = await find_signed_in(desk, browser)
    return Accounts(accounts=tuple([await account_of(desk, browser, session) for session in found.sessions]))
