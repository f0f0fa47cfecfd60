from __future__ import annotations

import secrets

from portico_authz.domain.browser import Browser, new_browser
from portico_authz.domain.session import Session
from portico_contracts.authz import CodeGrant
from portico_oauth.opaque import bucket_of, new_opaque


def opaque(bucket: str = "7f") -> str:
    return new_opaque(bucket, secrets.token_bytes)


def browser_and_handle() -> tuple[Browser, str]:
    browser = new_browser(secrets.token_bytes)
    return browser, browser.new_handle(secrets.token_bytes)


def session_of(user_id: str = "u-ada", now: float = 1_000.0) -> Session:
    return Session(
        sid=opaque(bucket_of(user_id)),
        user_id=user_id,
        org_id="org-1",
        login_name="\u00e4da@example.test",
        browser_id="browser",
        auth_time=now - 0.25,
        amr=("pwd",),
        acr="urn:portico:acr:pwd",
        ends_at=now + 86_400,
        idle_until=now + 3_600.5,
    )


def grant_of(session: Session) -> CodeGrant:
    return CodeGrant(
        grant_id=opaque(session.sid[:2]),
        client_id="web",
        user_id=session.user_id,
        session_id=session.sid,
        scope=("openid", "email"),
        auth_time=int(session.auth_time),
        amr=session.amr,
        acr=session.acr,
        auth_time_proven=True,
        nonce='n"\u00fc',
    )
