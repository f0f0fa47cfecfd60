"""A session of a person with one of the applications, its cookie, and what a store of sessions can do."""

from __future__ import annotations

import hashlib
from typing import Any, Protocol

import msgspec
from portico_contracts.users import Branding
from portico_web.cookies import read_handle, set_cookie


class SignedIn(msgspec.Struct, frozen=True):
    """Who signed in, by the ID token.

    Attributes:
        sid: the session at the provider, with which the access token ends.
        acr: how strong the sign-in was.
        auth_time: when it was, in Unix seconds.
        name: what to call the person; empty when the token has no name.
        locale: the preferred language; empty without one.
    """

    sub: str
    sid: str
    acr: str
    auth_time: int
    name: str
    email: str
    locale: str


class Session(SignedIn, frozen=True):
    """What a session holds: who signed in, and this. It is sealed wherever it is stored.

    Attributes:
        access_token: for the management API.
        id_token: the hint for renewals and for the sign-out.
        issued_at, expires_at: of the access token, in Unix seconds.
        ends_at: when the session ends at the latest, in Unix seconds.
        csrf: what every form of its pages carries.
        branding: how pages of the person's organization look; Portico's own look where that is not known.
        kept_form: the name of the form that this sign-in was required for; only this session may carry it out.
    """

    access_token: str
    id_token: str
    issued_at: float
    expires_at: float
    ends_at: float
    csrf: str
    branding: Branding = Branding()
    kept_form: str = ""

    def __repr__(self) -> str:
        return f"Session(sub={self.sub!r})"

    @property
    def initials(self) -> str:
        return initials_of(self.name)

    def is_to_be_renewed(self, now: float) -> bool:
        """After half of the token's lifetime: a form that is opened now could be sent too late."""
        return now >= (self.issued_at + self.expires_at) / 2


def initials_of(name: str) -> str:
    words = [word for word in name.split() if word[0].isalnum()]
    ends = [words[0], words[-1]] if len(words) > 1 else words
    return "".join(word[0] for word in ends).upper()


class KeptForm(msgspec.Struct, frozen=True):
    """A form that was sent too long after the sign-in.

    Attributes:
        typed: its fields, without the token of the session and without secrets.
        path, query: where it was sent to, as in the ASGI scope.
        is_whole: nothing was left out, so it can be carried out.
    """

    typed: dict[str, str]
    path: str = ""
    query: bytes = b""
    is_whole: bool = False

    def __repr__(self) -> str:
        return f"KeptForm(path={self.path!r})"


class Sessions(Protocol):
    """Sessions, and secrets that are shown once. All methods raise `unavailable`."""

    async def create(self, session: Session, kind: str) -> str: ...

    async def find(self, handle: str, kind: str) -> Session | None: ...

    async def remove(self, handle: str, kind: str) -> None: ...

    async def remove_all(self, sub: str, sid: str, kind: str) -> None: ...

    async def keep_to_show(self, session: Session, secret: dict[str, Any]) -> str:
        """Stores a secret for a few minutes that one page shows once; returns the name to retrieve it by."""
        ...

    async def keep_form(self, session: Session, form: KeptForm) -> str:
        """Stores a form without secrets for the time of a sign-in; returns the name to retrieve it by."""
        ...

    async def take_to_show(self, session: Session, name: str) -> dict[str, Any] | None:
        """Returns and deletes the secret of `keep_to_show` for the same user; None the second time."""
        ...

    async def take_form(self, session: Session, name: str) -> KeptForm | None:
        """Returns and deletes the form of `keep_form` for the same user; None the second time."""
        ...

    async def keep_work(self, session: Session, place: str, work: dict[str, Any]) -> None:
        """Stores unfinished work of a user for an hour; replaces that of the same place."""
        ...

    async def find_work(self, session: Session, place: str) -> dict[str, Any] | None: ...

    async def drop_work(self, session: Session, place: str) -> None: ...


class SessionCookie:
    """The name ends in eight hex digits of SHA-256(origin), because cookies ignore ports."""

    def __init__(self, party: str, origin: str) -> None:
        self._secure = origin.startswith("https://")
        prefix = "__Host-" if self._secure else ""
        self.name = f"{prefix}portico-{party}-{hashlib.sha256(origin.encode()).hexdigest()[:8]}"

    def read(self, header: str | None) -> str:
        return read_handle(header, self.name)

    def set(self, handle: str) -> str:
        """The Set-Cookie value that gives the browser a handle."""
        return set_cookie(self.name, handle, secure=self._secure)

    def clear(self) -> str:
        return set_cookie(self.name, "", secure=self._secure, max_age=0)
