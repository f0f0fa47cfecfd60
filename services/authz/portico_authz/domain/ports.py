"""What authz needs of stores and of other services. `portico_authz.store` and `directory` give it.

Whatever a finder is asked for may come from outside: text that cannot be one of our identifiers finds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from portico_contracts.users import Client, User

from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser
from portico_authz.domain.code import Claim, CodeRecord, Presented
from portico_authz.domain.session import Session


class Browsers(Protocol):
    """Browser records, found by the handle in the cookie."""

    async def create(self, handle: str, browser: Browser, seconds: int) -> None:
        """Keeps a new browser."""
        ...

    async def find(self, handle: str) -> Browser | None:
        """The browser with this handle."""
        ...

    async def extend(self, handle: str, seconds: int) -> None:
        """Keeps a browser for at least so long; never shortens."""
        ...

    async def rotate(self, old: str, new: str, browser: Browser, seconds: int) -> bool:
        """Gives a browser a new handle and state at once; the old handle finds nothing any more.

        Returns False, and changes nothing, when the old handle is not (or no longer) one.
        """
        ...


class Sessions(Protocol):
    """Sessions by sid, in the bucket of their user."""

    async def save(self, session: Session, seconds: int) -> None:
        """Keeps a session, new or authenticated again."""
        ...

    async def find(self, sid: str) -> Session | None:
        """The session, live or not."""
        ...


class AuthRequests(Protocol):
    """Authorization requests that wait for a person."""

    async def create(self, request: AuthRequest, seconds: int) -> None:
        """Keeps a request."""
        ...

    async def find(self, id: str) -> AuthRequest | None:
        """The request."""
        ...

    async def arm(self, id: str, csrf: str) -> str | None:
        """The CSRF value in force, which becomes the given one when there is none; None without a request."""
        ...

    async def swap(self, id: str, old: str, new: str) -> bool:
        """Uses up a CSRF value and puts the next in force; False when it was not the one in force."""
        ...

    async def change(
        self, id: str, *, login_name: str | None = None, signed_in: str | None = None, denied: bool = False
    ) -> bool:
        """Sets what is given; False without a request."""
        ...

    async def consume(self, id: str) -> bool:
        """Ends a request; True for the one caller that ended it."""
        ...


class ParkedPosts(Protocol):
    """Parameters of posted authorization requests, on their way to a GET."""

    async def park(self, id: str, parameters: dict[str, str], seconds: int) -> None:
        """Keeps the parameters."""
        ...

    async def find(self, id: str) -> dict[str, str] | None:
        """The parameters."""
        ...


class Codes(Protocol):
    """Authorization codes."""

    async def issue(self, code: str, record: CodeRecord, session: Session, now: float) -> bool:
        """Keeps a code and marks its session as used until ``session.idle_until``, both or none.

        Returns False when the session has ended meanwhile.
        """
        ...

    async def claim(self, code: str, presented: Presented, now: float) -> Claim:
        """Checks what was presented and claims the code, atomically: one winner on any number of replicas."""
        ...


@dataclass(frozen=True, slots=True)
class Stores:
    """All stores of authz."""

    browsers: Browsers
    sessions: Sessions
    requests: AuthRequests
    parked: ParkedPosts
    codes: Codes


class Directory(Protocol):
    """What other services know, through a read cache of at most a second."""

    async def find_client(self, client_id: str) -> Client | None:
        """An active client."""
        ...

    async def find_user(self, user_id: str) -> User | None:
        """An active user."""
        ...

    async def public_keys(self) -> tuple[dict[str, Any], ...]:
        """The published JWKs."""
        ...
