"""A logout that waits for its confirmation, bound to the browser it began in (IR-13)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PendingLogout:
    """The stored logout request, until the end user confirms it.

    Attributes:
        id: opaque, in the browser's bucket; travels in the address of the page.
        client_id: of the application that sent the request; empty for none.
        post_logout_redirect_uri: verified, and verified again before it is used; empty for none.
        state: as sent.
        csrf: required of the confirmation (LG-14).
    """

    id: str
    browser_id: str
    client_id: str = ""
    post_logout_redirect_uri: str = ""
    state: str = ""
    ui_locales: tuple[str, ...] = ()
    csrf: str = ""
