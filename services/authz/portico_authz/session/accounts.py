"""The accounts of a browser as its owner sees them."""

from __future__ import annotations

from portico_contracts.login import Account
from portico_oauth.opaque import fingerprint

from portico_authz.desk import Desk
from portico_authz.domain.browser import Browser
from portico_authz.domain.session import Session


async def account_of(desk: Desk, browser: Browser, session: Session, *, usable: bool = True) -> Account:
    """One account.

    Args:
        usable: the session can be gone on with as it is.
    """
    user = await desk.directory.find_user(session.user_id)
    return Account(
        id=account_id(browser, session),
        login_name=user.login_name if user else session.login_name,
        display_name=user.display_name if user else "",
        signed_in=usable,
    )


def account_id(browser: Browser, session: Session) -> str:
    """Names a session within its browser, and says nothing elsewhere."""
    return fingerprint(f"{browser.id}:{session.sid}")[:22]
