"""A session of a person with one of the applications."""

from __future__ import annotations

import msgspec
from portico_contracts.users import Branding


class Session(msgspec.Struct, frozen=True):
    """What a session holds. It is sealed wherever it is stored.

    Attributes:
        sub: the person's id.
        sid: the session at the provider, with which the access token ends.
        acr: how strong the sign-in was.
        auth_time: when it was, in Unix seconds.
        locale: the preferred language of the person; may be empty.
        access_token: for the management API.
        id_token: the hint for renewals and for the sign-out.
        issued_at, expires_at: of the access token, in Unix seconds.
        ends_at: when the session ends at the latest, in Unix seconds.
        csrf: what every form of its pages carries.
        branding: how pages of the person's organization look; Portico's own look where that is not known.
    """

    sub: str
    sid: str
    acr: str
    auth_time: int
    name: str
    email: str
    locale: str
    access_token: str
    id_token: str
    issued_at: float
    expires_at: float
    ends_at: float
    csrf: str
    branding: Branding = Branding()

    def __repr__(self) -> str:
        """Names the person only: the rest is secret."""
        return f"Session(sub={self.sub!r})"

    @property
    def initials(self) -> str:
        """The first letters of the first and the last word of the name, for a picture without a picture."""
        words = [word for word in self.name.split() if word[0].isalnum()]
        ends = [words[0], words[-1]] if len(words) > 1 else words
        return "".join(word[0] for word in ends).upper()

    def is_to_be_renewed(self, now: float) -> bool:
        """More than half of the access token's life is over: a form that is opened now could be sent too late."""
        return now >= (self.issued_at + self.expires_at) / 2
