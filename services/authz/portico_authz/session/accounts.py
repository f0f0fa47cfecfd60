from __future__ import annotations

from portico_contracts.login import Account, Accounts, GetAccounts
from portico_oauth.opaque import fingerprint

from portico_authz.dependencies import Dependencies
from portico_authz.domain.browser import Browser
from portico_authz.domain.session import Session
from portico_authz.session.find_sessions import find_signed_in


async def account_of(deps: Dependencies, browser: Browser, session: Session, *, usable: bool = True) -> Account:
    user = await deps.users_client.find_user(session.user_id, session.version)
    return Account(
        id=account_id(browser, session),
        login_name=(session.with_name(user.login_name) if user else session).shown_name,
        display_name=user.display_name if user else "",
        signed_in=usable,
    )


def account_id(browser: Browser, session: Session) -> str:
    return fingerprint(f"{browser.id}:{session.sid}")[:22]


async def list_accounts(deps: Dependencies, _id: str, query: GetAccounts) -> Accounts:
    """The accounts of the home page: live sessions of active users; no session is extended."""
    browser = await deps.stores.browsers.find(query.browser)
    if browser is None:
        return Accounts()
    found = await find_signed_in(deps, browser)
    return Accounts(accounts=tuple([await account_of(deps, browser, session) for session in found.sessions]))
