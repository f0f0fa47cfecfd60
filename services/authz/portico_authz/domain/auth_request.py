"""An authorization request that waits for a person, bound to the browser it began in (P3)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AuthRequest:
    """What is kept between the authorization endpoint and its answer.

    Attributes:
        id: opaque, in the browser's bucket; travels in the address of the login pages.
        parameters: the known parameters as sent; they are checked again before the answer.
        began: unix seconds of the request, which prompt=login and max_age count from.
        hint_subject: the user id a verified id_token_hint names; empty without one.
        prefill: what the login name field shows at first.
        login_name: as typed and accepted; empty while it is asked for.
        signed_in: sid of the session somebody signed in to for this request; empty before.
        denied: the person went back to the application.
        csrf: what the next answer must bring; each is good for one (LG-14).
    """

    id: str
    browser_id: str
    parameters: dict[str, str]
    began: float
    hint_subject: str = ""
    prefill: str = ""
    login_name: str = ""
    signed_in: str = ""
    denied: bool = False
    csrf: str = ""
