"""A logout that waits for confirmation, bound to the browser it started in (IR-13)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PendingLogout:
    """`id` is in the browser's bucket; the URI is verified again before use; `csrf` is for the confirmation (LG-14).

    `stays` is as in `LogoutRequest`.
    """

    id: str
    browser_id: str
    client_id: str = ""
    post_logout_redirect_uri: str = ""
    state: str = ""
    ui_locales: tuple[str, ...] = ()
    csrf: str = ""
    stays: bool = False
