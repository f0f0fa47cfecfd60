"""Sign-ins outside of an authorization request, by a credential that was set in this call (decisions 0057 and 0128)."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.users import User
from portico_oauth.assurance import PASSWORD, add_second_factor, webauthn_methods
from portico_oauth.opaque import bucket_of, new_opaque

from portico_authz.dependencies import Dependencies
from portico_authz.domain.browser import Browser
from portico_authz.domain.progress import Progress
from portico_authz.domain.session import short_name
from portico_authz.event_publisher import SignInOrigin
from portico_authz.session.sign_in import new_session, start_session
from portico_authz.session.trusted_devices import remember_handle


def with_new_password(user: User) -> Progress:
    return Progress(
        login_name=user.login_name, shown=short_name(user.login_name), user_id=user.user_id, amr=(PASSWORD,)
    )


def with_passkey(user: User, *, device_bound: bool) -> Progress:
    return Progress(
        login_name=user.login_name,
        shown=short_name(user.login_name),
        user_id=user.user_id,
        amr=add_second_factor((), *webauthn_methods(device_bound=device_bound)),
        second=True,
        device_bound=device_bound,
    )


async def sign_in_directly(
    deps: Dependencies, user: User, progress: Progress, browser: Browser, device: str, *, old: str = ""
) -> str:
    """Returns a new handle of the browser. The old one, which others may know, does not get the session (LG-11)."""
    handle, sid = browser.new_handle(deps.random), new_opaque(bucket_of(user.user_id), deps.random)
    seconds = browser.seconds_to_keep(deps.clock.now(), deps.lifetimes.session)
    await deps.stores.browsers.create(handle, browser.with_session(sid), seconds)
    origin = SignInOrigin("", device, "")
    # None of its sessions is continued: this one is of a credential that no session knows.
    alone = replace(browser, session_ids=())
    new = await new_session(deps, alone, user, progress, sid, origin, began=deps.clock.now())
    # The session last, so that none is left if a store fails.
    session = (await start_session(deps, alone, new, None)).session
    if old:
        await remember_handle(deps, old, browser)
        await deps.stores.browsers.delete(old)
    deps.publisher.session_started(session.sid, user.user_id)
    deps.publisher.login_succeeded(user.user_id, origin, session.amr)
    return handle
