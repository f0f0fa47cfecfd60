"""What authz needs of stores and of other services. `portico_authz.store` and `directory` give it.

Whatever a finder is asked for may come from outside: text that cannot be one of our identifiers finds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from portico_contracts.users import Client, LoginPolicy, ProjectAccess, User

from portico_authz.domain.auth_request import Asked, AuthRequest, Progress
from portico_authz.domain.browser import Browser
from portico_authz.domain.code import Claim, CodeRecord, Issued, Presented
from portico_authz.domain.ending import Ending
from portico_authz.domain.logout_request import LogoutRequest
from portico_authz.domain.renewal import Renewal, Renewed
from portico_authz.domain.session import Session
from portico_authz.domain.submission import Submission


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

    async def renew(self, renewal: Renewal, seconds: int) -> Renewed:
        """Gives a browser its new handle and state, and its request what goes with them, at once.

        The old handle finds nothing any more. One caller gets `Renewed.NOW`; for all others nothing changes.
        """
        ...

    async def replace(self, handle: str, browser: Browser) -> None:
        """Changes the record behind a handle that is still one; its time goes on."""
        ...

    async def drop(self, handle: str) -> None:
        """Forgets a browser."""
        ...


class Sessions(Protocol):
    """Sessions by sid, in the bucket of their user."""

    async def save(self, session: Session, seconds: int) -> bool:
        """Keeps a session, new or authenticated again; False, and nothing kept, for one that was ended."""
        ...

    async def find(self, sid: str) -> Session | None:
        """The session, live or not."""
        ...

    async def use(self, session: Session, client_id: str, now: float) -> bool:
        """Marks a session as used until ``session.idle_until``, and remembers the client; False when it ended."""
        ...

    async def list_sids(self, user_id: str) -> tuple[str, ...]:
        """The sessions of a user, live or not; of ended ones those whose tokens may still live."""
        ...

    async def end(self, sid: str, seconds: int, client_id: str = "") -> None:
        """Ends a session for good, at once, and keeps for so long what is owed because of it.

        Args:
            client_id: of the client whose server ended it by a hint; the first end of a session counts.
        """
        ...


class Endings(Protocol):
    """What is owed after sessions ended: a queue that survives restarts, worked off by any replica.

    A session is planned for before it is ended, so that nothing is lost in between.
    """

    async def plan(self, sids: Sequence[str], due: float) -> None:
        """Has sessions looked at, at that moment or soon after; a later moment replaces the earlier one."""
        ...

    async def claim(self, now: float, until: float, most: int) -> tuple[str, ...]:
        """Sessions that are due; others get them only after ``until``, should this replica die."""
        ...

    async def find(self, sid: str) -> Ending | None:
        """What is owed; None for a session that did not end, or for which all is done."""
        ...

    async def set_revoked(self, session: Session) -> None:
        """Its tokens are inactive."""
        ...

    async def set_said(self, sid: str) -> None:
        """Its event went out."""
        ...

    async def set_told(self, sid: str, client_ids: Sequence[str]) -> None:
        """These clients were told, or given up."""
        ...

    async def count_attempt(self, sid: str) -> int:
        """Counts a try; how many there were."""
        ...

    async def finish(self, sid: str) -> None:
        """Nothing is owed any more: forgets the session, should it have ended, and its place in the queue."""
        ...


class AuthRequests(Protocol):
    """Authorization requests that wait for a person."""

    async def create(self, request: AuthRequest, seconds: int) -> None:
        """Keeps a request."""
        ...

    async def find(self, id: str) -> AuthRequest | None:
        """The request."""
        ...

    async def swap(self, id: str, old: str, new: str) -> bool:
        """Puts a CSRF value in the place of another; False when that was not the one in force."""
        ...

    async def send(self, id: str, next_csrf: str, submission: Submission) -> bool:
        """Uses up the CSRF value of a form and puts the next in force; False when it was not the one in force."""
        ...

    async def repeat(self, id: str, csrf: str, most: int) -> bool:
        """Counts that the form sent last is sent again; False for another one, and from then on after ``most``."""
        ...

    async def change(
        self, id: str, *, progress: Progress | None = None, signed_in: str | None = None, denied: bool = False
    ) -> bool:
        """Sets what is given; False without a request."""
        ...

    async def offer(self, id: str, offered: Asked) -> bool:
        """Sets the challenge offered for a passkey, and nothing else; False without a request."""
        ...

    async def answer(self, id: str, code: str, *, instead_of: str, seconds: int) -> bool:
        """Makes a code (by reference) the answer, instead of the one it was so far; empty for none.

        The request is kept for so many seconds from then on. False when another answer was first.
        """
        ...

    async def consume(self, id: str) -> bool:
        """Ends a request; True for the one caller that ended it."""
        ...


class LogoutRequests(Protocol):
    """Logouts that wait for their confirmation."""

    async def create(self, request: LogoutRequest, seconds: int) -> None:
        """Keeps a request."""
        ...

    async def find(self, id: str) -> LogoutRequest | None:
        """The request."""
        ...

    async def arm(self, id: str, csrf: str) -> str | None:
        """The CSRF value in force, which becomes the given one when there is none; None without a request."""
        ...

    async def swap(self, id: str, old: str, new: str) -> bool:
        """As `AuthRequests.swap`."""
        ...

    async def consume(self, id: str) -> bool:
        """As `AuthRequests.consume`."""
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

    async def issue(self, code: str, record: CodeRecord, session: Session, now: float) -> Issued:
        """Keeps a code and marks its session as used, as `Sessions.use` does, both or none."""
        ...

    async def withdraw(self, reference: str, seconds: int) -> bool:
        """Takes a code back; one that is not there yet is not issued any more, for so long.

        Returns False, and changes nothing, for a code that was used.
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
    endings: Endings
    logouts: LogoutRequests


class Directory(Protocol):
    """What other services know, through a read cache of at most a second."""

    async def find_client(self, client_id: str) -> Client | None:
        """An active client."""
        ...

    async def find_user(self, user_id: str) -> User | None:
        """An active user."""
        ...

    def remember_user(self, user: User, *, asked: float) -> None:
        """Keeps what users just said of somebody, as the answer to a question of that moment."""
        ...

    async def public_keys(self) -> tuple[dict[str, Any], ...]:
        """The published JWKs."""
        ...

    async def admission(self, user_id: str, project_id: str) -> ProjectAccess:
        """What a user has to do with a project."""
        ...

    async def login_policy(self, org_id: str) -> LoginPolicy:
        """What an organization demands at sign-in; the instance with an empty id."""
        ...


class Posts(Protocol):
    """Sends forms to addresses that were registered with us; `portico_runtime.outbound` does."""

    async def post_form(self, url: str, fields: Mapping[str, str]) -> int:
        """The status of the answer.

        Raises:
            OutboundError: for an address that may not be asked, or without an answer in time.
        """
        ...
