"""A logout that waits for confirmation, bound to the browser it started in (IR-13)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PendingLogout:
    """`id`: opaque, in the browser's bucket; part of the URL of the page. `client_id`: of the requesting
    application; empty for none. `post_logout_redirect_uri`: verified now and again before use; empty for
    none. `csrf`: required of the confirmation (LG-14).
    """

    id: str
    browser_id: str
    client_id: str = ""
    post_logout_redirect_uri: str = ""
    state: str = ""
    ui_locales: tuple[str, ...] = ()
    csrf: str = ""
