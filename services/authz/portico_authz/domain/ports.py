"""The ports of authz to stores and other services. `portico_authz.store` and `directory` implement them.

Arguments of finders may be unchecked input: text that cannot be an identifier of authz finds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from portico_authz.domain.auth_request import AuthRequest, FactorChallenge, Progress
from portico_authz.domain.browser import Browser, HandleRotation, RotationResult
from portico_authz.domain.code import Claim, CodeRecord, IssueResult, PresentedCode
from portico_authz.domain.ended_session import EndedSession
from portico_authz.domain.external import ExternalFlow, Mismatch, ParkedReturn
from portico_authz.domain.pending_logout import PendingLogout
from portico_authz.domain.session import Session
from portico_authz.domain.submission import Submission


class Browsers(Protocol):
    """Browser records, found by the handle in the cookie."""

    async def create(self, handle: str, browser: Browser, seconds: int) -> None:
        """Stores a new browser."""
        ...

    async def find(self, handle: str) -> Browser | None:
        """The browser with this handle."""
        ...

    async def extend(self, handle: str, seconds: int) -> None:
        """Extends the lifetime of a browser to at least ``seconds``; never shortens it."""
        ...

    async def rotate_handle(self, rotation: HandleRotation, seconds: int) -> RotationResult:
        """Stores a browser's new handle and state, and the state of its request, atomically.

        The old handle finds no browser afterwards. One caller gets `RotationResult.ROTATED`; others change nothing.
        """
        ...

    async def replace(self, handle: str, browser: Browser) -> None:
        """Replaces the record of an existing handle, with the same expiry."""
        ...

    async def delete(self, handle: str) -> None:
        """Deletes a browser."""
        ...


class Sessions(Protocol):
    """Sessions by sid, in the bucket of their user."""

    async def save(self, session: Session, seconds: int) -> bool:
        """Stores a session, new or authenticated again; returns False, and stores nothing, for an ended one."""
        ...

    async def find(self, sid: str) -> Session | None:
        """The session, live or not."""
        ...

    async def use(self, session: Session, client_id: str, now: float) -> bool:
        """Extends a session to ``session.idle_until`` and records the client; False when it ended."""
        ...

    async def list_sids(self, user_id: str) -> tuple[str, ...]:
        """The sessions of a user, live or not; of ended ones those whose tokens may still be active."""
        ...

    async def end(self, sid: str, seconds: int, client_id: str = "") -> None:
        """Ends a session irrevocably, and stores its due notifications for ``seconds``.

        Args:
            client_id: of the client whose server ended it by a hint; the first end of a session counts.
        """
        ...


class LogoutQueue(Protocol):
    """Notifications due after sessions ended: a durable queue that any replica processes.

    A session is enqueued before it is ended, so that no notification is lost in between.
    """

    async def enqueue(self, sids: Sequence[str], due: float) -> None:
        """Schedules sessions for processing at ``due``; a later time replaces the earlier one."""
        ...

    async def claim(self, now: float, until: float, most: int) -> tuple[str, ...]:
        """Due sessions; other replicas get them only after ``until``, should this one die."""
        ...

    async def find(self, sid: str) -> EndedSession | None:
        """The ended session; None for one that did not end, or whose notifications are complete."""
        ...

    async def set_revoked(self, session: Session) -> None:
        """Records that its tokens are inactive."""
        ...

    async def set_published(self, sid: str) -> None:
        """Records that its event is published."""
        ...

    async def set_notified(self, sid: str, client_ids: Sequence[str]) -> None:
        """Records that these clients are notified, or abandoned."""
        ...

    async def count_attempt(self, sid: str) -> int:
        """Counts an attempt, and returns their number."""
        ...

    async def complete(self, sid: str) -> None:
        """Deletes the session, if it has ended, and its entry in the queue."""
        ...


class AuthRequests(Protocol):
    """Authorization requests that wait for the end user."""

    async def create(self, request: AuthRequest, seconds: int) -> None:
        """Stores a request.

        Of too many of one client address, or of too many in all, the oldest in which nothing was proven is dropped.
        """
        ...

    async def find(self, id: str) -> AuthRequest | None:
        """The request."""
        ...

    async def replace_csrf(self, id: str, old: str, new: str) -> bool:
        """Replaces a CSRF value; False when it was not the one in force."""
        ...

    async def accept_submission(self, id: str, next_csrf: str, submission: Submission) -> bool:
        """Stores a form and replaces its CSRF value; False when it was not the one in force."""
        ...

    async def settle(self, id: str, csrf: str) -> None:
        """Records that the form with this CSRF value has its answer."""
        ...

    async def count_retry(self, id: str, csrf: str, most: int) -> bool:
        """Counts a retry of the last form; False for another form, and after ``most`` retries."""
        ...

    async def update(
        self, id: str, *, progress: Progress | None = None, signed_in: str | None = None, denied: bool = False
    ) -> bool:
        """Sets the given fields; False without a request."""
        ...

    async def set_passkey_challenge(self, id: str, offered: FactorChallenge) -> bool:
        """Sets the challenge of conditional mediation, and no other field; False without a request."""
        ...

    async def record_code(self, id: str, code: str, *, instead_of: str, seconds: int) -> bool:
        """Makes a code (by reference) the response, in place of the earlier one; empty for none.

        The request expires after ``seconds`` then. False when another response was first.
        """
        ...

    async def consume(self, id: str) -> bool:
        """Ends a request; True for the one caller that ended it."""
        ...

    async def forget(self, request: AuthRequest) -> None:
        """Counts a request that got its response no more among the open ones of its client address."""
        ...


class PendingLogouts(Protocol):
    """Logouts that wait for their confirmation."""

    async def create(self, request: PendingLogout, seconds: int) -> None:
        """Stores a request."""
        ...

    async def find(self, id: str) -> PendingLogout | None:
        """The request."""
        ...

    async def ensure_csrf(self, id: str, csrf: str) -> str | None:
        """The CSRF value in force, which is set to the given one when there is none; None without a request."""
        ...

    async def replace_csrf(self, id: str, old: str, new: str) -> bool:
        """As `AuthRequests.replace_csrf`."""
        ...

    async def consume(self, id: str) -> bool:
        """As `AuthRequests.consume`."""
        ...


class PostedRequests(Protocol):
    """Parameters of posted authorization requests, until the GET that follows."""

    async def save(self, id: str, record: dict[str, str], seconds: int, client_address: str = "") -> None:
        """Stores the parameters; too many are dropped as in `AuthRequests.create`."""
        ...

    async def find(self, id: str) -> dict[str, str] | None:
        """The parameters."""
        ...


class ExternalFlows(Protocol):
    """Flows to other identity providers, by their ``state``."""

    async def create(self, state: str, flow: ExternalFlow, seconds: int) -> None:
        """Stores a flow."""
        ...

    async def find(self, state: str) -> ExternalFlow | None:
        """The flow, while it is unclaimed."""
        ...

    async def claim(self, state: str, browser_id: str, provider_id: str) -> ExternalFlow | Mismatch | None:
        """Gives the flow to one caller, with the browser and the provider it began with; others change nothing."""
        ...

    async def park(self, handle: str, parked: ParkedReturn, seconds: int, client_address: str = "") -> None:
        """Stores what came back without a cookie; too much is dropped as in `AuthRequests.create`."""
        ...

    async def find_parked(self, handle: str) -> ParkedReturn | None:
        """What came back."""
        ...

    async def consume_parked(self, handle: str) -> bool:
        """Deletes it; True for the one caller that did."""
        ...


class Codes(Protocol):
    """Authorization codes."""

    async def issue(self, code: str, record: CodeRecord, session: Session, now: float) -> IssueResult:
        """Stores a code and extends its session like `Sessions.use`, both or neither."""
        ...

    async def withdraw(self, reference: str, seconds: int) -> bool:
        """Withdraws a code; one that is not stored yet cannot be issued for ``seconds``.

        Returns False, and changes nothing, for a redeemed code.
        """
        ...

    async def claim(self, code: str, presented: PresentedCode, now: float) -> Claim:
        """Verifies the presented parameters and claims the code, atomically: one winner on any number of replicas."""
        ...


@dataclass(frozen=True, slots=True)
class Stores:
    """All stores of authz."""

    browsers: Browsers
    sessions: Sessions
    requests: AuthRequests
    posted_requests: PostedRequests
    codes: Codes
    logout_queue: LogoutQueue
    logouts: PendingLogouts
    external_flows: ExternalFlows


class Posts(Protocol):
    """Posts forms to registered addresses; `portico_runtime.outbound` implements it."""

    async def post_form(self, url: str, fields: Mapping[str, str]) -> int:
        """The status of the response.

        Raises:
            OutboundError: for a forbidden address, or without a response in time.
        """
        ...
