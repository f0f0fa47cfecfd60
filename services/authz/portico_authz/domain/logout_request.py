"""A logout that waits for its confirmation, bound to the browser it began in (IR-13)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LogoutRequest:
    """What is kept while the person is asked.

    Attributes:
        id: opaque, in the browser's bucket; travels in the address of the page.
        client_id: the application that asked; empty when none is known.
        post_logout_redirect_uri: proven once already, and proven again before it is used; empty for none.
        state: as sent.
        csrf: what the confirmation must bring (LG-14).
    """

    id: str
    browser_id: str
    client_id: str = ""
    post_logout_redirect_uri: str = ""
    state: str = ""
    ui_locales: tuple[str, ...] = ()
    csrf: str = ""
