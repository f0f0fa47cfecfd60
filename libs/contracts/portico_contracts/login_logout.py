"""The messages of authz's login API for the confirmation of a logout."""

from __future__ import annotations

from portico_contracts.login import Account, PageBranding
from portico_contracts.subjects import Message, Secret


class RequestLogout(Message, frozen=True):
    """Requests the data of a logout that waits for confirmation."""

    browser: Secret


class ConfirmLogout(Message, frozen=True):
    """Confirms a logout.

    `csrf` is the value that the page was rendered with, valid once (LG-14).
    """

    browser: Secret
    csrf: Secret


class Logout(Message, frozen=True):
    """A logout, before or after confirmation (OpenID Connect RP-Initiated Logout 1.0).

    Attributes:
        done: the sessions ended; `continue_to` and `set_cookie` apply.
        csrf: to be sent with the confirmation.
        client_name: the requesting application; empty if unknown.
        accounts: the accounts that will be signed out.
        continue_to: a path of this origin, or the validated post_logout_redirect_uri with its state; to be
            navigated to by a page instead of an HTTP redirect.
        return_uri: that post_logout_redirect_uri; empty without one.
        set_cookie: removes the handle, or replaces it in a browser that users trust.
        look: branding of the page.
        stays: the request had a post_logout_redirect_uri that cannot be checked, so the browser stays here.
    """

    done: bool = False
    csrf: Secret = ""
    client_name: str = ""
    accounts: tuple[Account, ...] = ()
    continue_to: str = ""
    return_uri: str = ""
    set_cookie: Secret = ""
    ui_locales: tuple[str, ...] = ()
    look: PageBranding = PageBranding()
    stays: bool = False
