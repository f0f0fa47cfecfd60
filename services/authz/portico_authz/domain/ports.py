"""The ports of authz to stores and other services.

Arguments of finders may be untrusted: text that cannot be an identifier finds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from portico_contracts.authz import CodeGrant

from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser, HandleRotation, RotationResult
from portico_authz.domain.code import Claim, CodeRecord, IssueResult, NewCode, PresentedCode
from portico_authz.domain.device import DeviceRequest, Poll
from portico_authz.domain.ended_session import EndedSession
from portico_authz.domain.external import ExternalFlow, Mismatch, ParkedReturn
from portico_authz.domain.login_session import LoginProof, LoginSession
from portico_authz.domain.pending_logout import PendingLogout
from portico_authz.domain.progress import FactorChallenge, Progress
from portico_authz.domain.session import Session
from portico_authz.domain.submission import Submission
from portico_authz.domain.trusted_device import ReplacedHandle, TrustedDevice

Record = TypeVar("Record")


class Browsers(Protocol):
    async def create(self, handle: str, browser: Browser, seconds: int) -> None:
        """Stores a browser. One that no user signed in to can be dropped beyond the limit of unauthenticated records."""
        ...

    async def find(self, handle: str) -> Browser | None: ...

    async def find_with_request(self, handle: str, request_id: str) -> tuple[Browser | None, AuthRequest | None]:
        """Finds an authorization request and a browser in one round trip; no browser without the request."""
        ...

    async def extend(self, handle: str, seconds: int) -> None:
        """Extends the lifetime of a browser to at least ``seconds``; never shortens it."""
        ...

    async def rotate_handle(self, rotation: HandleRotation, seconds: int) -> RotationResult:
        """Stores a browser's new handle and state, and the state of its request, atomically.

        The old handle finds no browser afterwards. One caller gets `RotationResult.ROTATED`, or `ANSWERED` if the
        request had no answer and `rotation.answer` is it now, as by `AuthRequests.record_code`; others change nothing.
        """
        ...

    async def replace(self, handle: str, browser: Browser) -> None: ...

    async def delete(self, handle: str) -> None: ...


class Sessions(Protocol):
    async def save(self, session: Session, seconds: int, *, again: bool = False) -> bool:
        """Stores a session, new or authenticated again; returns False, and stores nothing, for an ended one.

        One that is authenticated ``again`` has also ended if it is not stored any more.
        """
        ...

    async def find(self, sid: str) -> Session | None: ...

    async def use(self, session: Session, client_id: str, now: float) -> bool:
        """Extends a session to ``session.idle_until`` and records the client; False when it ended."""
        ...

    async def list_sids(self, user_id: str) -> tuple[str, ...]: ...

    async def end(self, sid: str, seconds: int, client_id: str = "", actor: str = "") -> None:
        """Ends a session irrevocably and stores its notifications; the first end of a session counts."""
        ...


class LogoutQueue(Protocol):
    """Processed by any replica; a session is enqueued before it is ended, so that no notification is lost."""

    async def enqueue(self, sids: Sequence[str], due: float) -> None:
        """Schedules sessions for processing at ``due``; a later time replaces the earlier one."""
        ...

    async def claim(self, now: float, until: float, most: int) -> tuple[str, ...]:
        """Claims due sessions until ``until``; other replicas get them afterwards if this one fails."""
        ...

    async def find_next_time(self) -> float | None:
        """Returns when the next session is due, in unix seconds; None without one."""
        ...

    async def find(self, sid: str) -> EndedSession | None:
        """Returns the ended session; None if it did not end, or its notifications are complete."""
        ...

    async def set_revoked(self, session: Session) -> None: ...

    async def set_published(self, sid: str) -> None: ...

    async def set_notified(self, sid: str, client_ids: Sequence[str]) -> None: ...

    async def count_attempt(self, sid: str) -> int: ...

    async def complete(self, sid: str) -> None: ...


class AuthRequests(Protocol):
    async def create(self, request: AuthRequest, seconds: int, anonymous: str = "") -> None:
        """Beyond the limits per client address and in total, the oldest record without a proof is dropped.

        Args:
            anonymous: the handle of a browser without a user, which counts for the client address too.
        """
        ...

    async def find(self, id: str) -> AuthRequest | None: ...

    async def replace_csrf(self, id: str, old: str, new: str) -> bool:
        """Replaces a CSRF value; False when it was not the current one."""
        ...

    async def accept_submission(
        self, id: str, next_csrf: str, submission: Submission, progress: Progress | None = None
    ) -> bool:
        """Stores a form and replaces its CSRF value; False when that was not the current one.

        `progress` is stored with a form whose processing is complete with it, as by `update` and `settle`. It
        proves nothing.
        """
        ...

    async def settle(self, id: str, csrf: str) -> None: ...

    async def count_retry(self, id: str, csrf: str, most: int) -> bool:
        """Counts a retry of the last form; False for another form, and after ``most`` retries."""
        ...

    async def update(
        self, id: str, *, progress: Progress | None = None, signed_in: str | None = None, denied: bool = False
    ) -> bool: ...

    async def set_passkey_challenge(self, id: str, offered: FactorChallenge) -> bool:
        """Sets only the challenge of conditional mediation; False without a request."""
        ...

    async def record_code(self, request: AuthRequest, code: str, seconds: int) -> bool:
        """Makes a code (by reference) the response, in place of the earlier one, and forgets the request.

        The request expires after ``seconds`` then. False when another response was first.
        """
        ...

    async def consume(self, id: str) -> bool:
        """Deletes a request; True for the one caller that deleted it."""
        ...

    async def forget(self, request: AuthRequest) -> None: ...


class PendingLogouts(Protocol):
    async def create(self, request: PendingLogout, seconds: int) -> None: ...

    async def find(self, id: str) -> PendingLogout | None: ...

    async def ensure_csrf(self, id: str, csrf: str) -> str | None: ...

    async def replace_csrf(self, id: str, old: str, new: str) -> bool: ...

    async def consume(self, id: str) -> bool: ...


class Records(Protocol[Record]):
    """Records of one kind, by an id that cannot be guessed."""

    async def save(self, id: str, record: Record, seconds: int, client_address: str = "") -> None: ...

    async def find(self, id: str) -> Record | None: ...

    async def consume(self, id: str) -> bool:
        """Deletes a record; True for the one caller that did."""
        ...


class PushedRequests(Protocol):
    """Pushed authorization requests by the last part of their request_uri (RFC 9126)."""

    async def save(self, id: str, record: dict[str, str], seconds: int, client_address: str) -> None: ...

    async def find(self, id: str) -> tuple[dict[str, str], str] | None:
        """Returns the parameters, and who claimed the response, empty before."""
        ...

    async def claim(self, id: str, claimant: str, seconds: int, earlier: str = "") -> bool:
        """True for the first claimant, however often it repeats the claim, and for one that replaces ``earlier``.

        Others get False for ``seconds``, the longest that one of them can still have the request open.
        """
        ...


class ExternalFlows(Protocol):
    async def create(self, state: str, flow: ExternalFlow, seconds: int) -> None: ...

    async def find(self, state: str) -> ExternalFlow | None: ...

    async def claim(self, state: str, browser_id: str, provider_id: str) -> ExternalFlow | Mismatch | None:
        """One caller with the same browser and provider gets the flow; other calls change nothing."""
        ...


class Codes(Protocol):
    async def issue(self, code: str, record: CodeRecord, session: Session, now: float) -> IssueResult:
        """Stores a code and extends its session like `Sessions.use`, atomically."""
        ...

    async def issue_first(self, new: NewCode, session: Session, seconds: int, *, again: bool = False) -> bool:
        """Stores a session like `Sessions.save`, with its first code, atomically."""
        ...

    async def withdraw(self, reference: str, seconds: int) -> bool:
        """Withdraws a code; one that is not stored yet cannot be issued for ``seconds``.

        Returns False, and changes nothing, for a redeemed code.
        """
        ...

    async def claim(self, code: str, presented: PresentedCode, now: float) -> Claim:
        """Verifies the presented parameters and claims the code atomically: one winner on any number of replicas."""
        ...


class Devices(Protocol):
    """Devices that wait, by user code (RFC 8628)."""

    async def create(self, device: DeviceRequest, seconds: int, client_address: str) -> bool:
        """Stores a device; False where another one has its user code."""
        ...

    async def find_waiting(self, user_code: str, now: float) -> DeviceRequest | None:
        """Returns the device with a user code that waits for an answer."""
        ...

    async def answer(self, device: DeviceRequest, request_id: str, grant: CodeGrant | None, now: float) -> bool:
        """Approves with a grant or denies; False where the device no longer waits.

        The request that answered may repeat its answer: True, and the first grant stays.
        """
        ...

    async def poll(self, device_code: str, client_id: str, now: float) -> Poll:
        """Counts a poll of a waiting device, and returns its state."""
        ...

    async def claim(self, device_code: str, client_id: str, now: float) -> Poll:
        """Claims the grant of an approved device atomically: one winner on any number of replicas."""
        ...


class Tries(Protocol):
    """Counts what may be tried a number of times."""

    async def count(self, whose: str, seconds: int) -> int:
        """Counts a try, and returns the number within `seconds` from the first."""
        ...

    async def give_back(self, whose: str) -> None: ...


class TrustedDevices(Protocol):
    """The browsers that a user trusts, by the id of the device. Without a record the factor is requested."""

    async def save(self, user_id: str, device: TrustedDevice, seconds: int) -> None:
        """Beyond `MOST_DEVICES` the trust that began first ends."""
        ...

    async def find(self, user_id: str, device_id: str) -> TrustedDevice | None: ...

    async def list(self, user_id: str) -> tuple[TrustedDevice, ...]:
        """Returns expired ones too."""
        ...

    async def end(self, user_id: str, device_ids: Sequence[str] = ()) -> int:
        """Ends the trust in some devices, or in all without ids; returns their number."""
        ...

    async def remember_handle(self, handle: str, replaced: ReplacedHandle, seconds: int) -> None: ...

    async def find_handle(self, handle: str) -> ReplacedHandle | None: ...


class LoginSessions(Protocol):
    """Sign-ins on own login pages (decision 0107)."""

    async def save(self, session: LoginSession, seconds: int) -> bool:
        """Stores a change; False, and changes nothing, unless the stored sequence is the one before its own."""
        ...

    async def find(self, id: str) -> LoginSession | None: ...

    async def add_sid(self, id: str, sid: str) -> bool:
        """Records a single sign-on session that began with it; False for an unknown login session."""
        ...

    async def delete(self, session: LoginSession) -> bool:
        """Deletes a login session; False, and changes nothing, if another `sid` was added since it was read."""
        ...


@dataclass(frozen=True, slots=True)
class Stores:
    """`login_proofs` are results of sign-ins on own login pages, each for one browser and one use."""

    browsers: Browsers
    sessions: Sessions
    requests: AuthRequests
    posted_requests: Records[dict[str, str]]
    pushed_requests: PushedRequests
    codes: Codes
    logout_queue: LogoutQueue
    logouts: PendingLogouts
    external_flows: ExternalFlows
    parked_returns: Records[ParkedReturn]
    devices: Devices
    tries: Tries
    trusted_devices: TrustedDevices
    login_sessions: LoginSessions
    login_proofs: Records[LoginProof]


class Posts(Protocol):
    async def post_form(self, url: str, fields: Mapping[str, str]) -> int:
        """Returns the status; raises OutboundError for a forbidden address and without a timely response."""
        ...
