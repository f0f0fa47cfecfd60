"""The accounts signed in with a browser, for the home page of the issuer."""

from __future__ import annotations

from portico_contracts.login import Accounts, GetAccounts

from portico_authz.dependencies import Dependencies
from portico_authz.session.accounts import account_of
from portico_authz.session.find_sessions import find_signed_in


async def list_accounts(deps: Dependencies, _id: str, query: GetAccounts) -> Accounts:
    """The accounts of live sessions whose users are active. Reads only: no session is extended.

    Raises:
        ServiceError: UNAVAILABLE without the store or users.
    """
    browser = await deps.stores.browsers.find(query.browser)
    if browser is None:
        return Accounts()
    found = await find_signed_in(deps, browser)
    return Accounts(accounts=tuple([await account_of(deps, browser, session) for session in found.sessions]))
