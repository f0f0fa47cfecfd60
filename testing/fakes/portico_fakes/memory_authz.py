"""The stores of authz in memory, held to the same conformance suite as the ones on Redis."""

from __future__ import annotations

from dataclasses import replace

from portico_authz.domain.auth_request import Asked, AuthRequest, Progress
from portico_authz.domain.browser import Browser
from portico_authz.domain.code import Claim, CodeRecord, Issued, Outcome, Presented, reference_of
from portico_authz.domain.logout_request import LogoutRequest
from portico_authz.domain.ports import Stores
from portico_authz.domain.renewal import Renewal, Renewed
from portico_authz.domain.session import Session
from portico_authz.domain.submission import Submission
from portico_authz.store.redis_codes import MARK_SECONDS
from portico_oauth.clock_leeway import is_issued_ahead
from portico_runtime.clock import Clock

from portico_fakes.expiring_records import ExpiringRecords
from portico_fakes.memory_sessions import MemoryEndings, MemorySessions


class MemoryBrowsers:
    """`Browsers` in memory."""

    def __init__(self, clock: Clock, requests: MemoryAuthRequests) -> None:
        self.records: ExpiringRecords[Browser] = ExpiringRecords(clock)
        self._requests = requests

    async def create(self, handle: str, browser: Browser, seconds: int) -> None:
        """See `Browsers.create`."""
        self.records.put(handle, browser, seconds)

    async def find(self, handle: str) -> Browser | None:
        """See `Browsers.find`."""
        return self.records.get(handle)

    async def extend(self, handle: str, seconds: int) -> None:
        """See `Browsers.extend`."""
        self.records.extend(handle, seconds)

    async def replace(self, handle: str, browser: Browser) -> None:
        """See `Browsers.replace`."""
        if self.records.get(handle) is not None:
            self.records.change(handle, browser)

    async def drop(self, handle: str) -> None:
        """See `Browsers.drop`."""
        self.records.drop(handle)

    async def renew(self, renewal: Renewal, seconds: int) -> Renewed:
        """See `Browsers.renew`."""
        if self._requests.records.get(renewal.request_id) is None:
            return Renewed.GONE
        if not self.records.drop(renewal.old):
            return Renewed.CHANGED if self.records.get(renewal.new) is None else Renewed.BEFORE
        self.records.put(renewal.new, renewal.browser, seconds)
        self._requests.note(renewal)
        return Renewed.NOW


class MemoryAuthRequests:
    """`AuthRequests` in memory."""

    def __init__(self, clock: Clock) -> None:
        self.records: ExpiringRecords[AuthRequest] = ExpiringRecords(clock)
        self._repeats: dict[str, int] = {}

    async def create(self, request: AuthRequest, seconds: int) -> None:
        """See `AuthRequests.create`."""
        self.records.put(request.id, request, seconds)

    async def find(self, id: str) -> AuthRequest | None:
        """See `AuthRequests.find`."""
        return self.records.get(id)

    async def swap(self, id: str, old: str, new: str) -> bool:
        """See `AuthRequests.swap`."""
        found = self.records.get(id)
        if found is None or not found.csrf or found.csrf != old:
            return False
        self.records.change(id, replace(found, csrf=new))
        return True

    async def send(self, id: str, next_csrf: str, submission: Submission) -> bool:
        """See `AuthRequests.send`."""
        if not await self.swap(id, submission.csrf, next_csrf):
            return False
        self.records.change(id, replace(self._kept(id), submission=submission))
        self._repeats[id] = 0
        return True

    async def repeat(self, id: str, csrf: str, most: int) -> bool:
        """See `AuthRequests.repeat`."""
        found = self.records.get(id)
        if found is None or found.submission is None or found.submission.csrf != csrf:
            return False
        self._repeats[id] = self._repeats.get(id, 0) + 1
        return self._repeats[id] <= most

    async def answer(self, id: str, code: str, *, instead_of: str, seconds: int) -> bool:
        """See `AuthRequests.answer`."""
        found = self.records.get(id)
        if found is None or found.answer != instead_of:
            return False
        self.records.change(id, replace(found, answer=code))
        self.records.shorten(id, seconds)
        return True

    def note(self, renewal: Renewal) -> None:
        """What a browser's new handle was earned with."""
        found = self._kept(renewal.request_id)
        earned = replace(found, progress=renewal.progress, submission=renewal.submission, signed_in=renewal.signed_in)
        self.records.change(renewal.request_id, earned)

    def _kept(self, id: str) -> AuthRequest:
        found = self.records.get(id)
        if found is None:
            raise LookupError(id)
        return found

    async def change(
        self, id: str, *, progress: Progress | None = None, signed_in: str | None = None, denied: bool = False
    ) -> bool:
        """See `AuthRequests.change`."""
        found = self.records.get(id)
        if found is None:
            return False
        changed = replace(
            found,
            progress=found.progress if progress is None else progress,
            signed_in=found.signed_in if signed_in is None else signed_in,
            denied=found.denied or denied,
        )
        self.records.change(id, changed)
        return True

    async def offer(self, id: str, offered: Asked) -> bool:
        """See `AuthRequests.offer`."""
        found = self.records.get(id)
        if found is None:
            return False
        self.records.change(id, replace(found, offered=offered))
        return True

    async def consume(self, id: str) -> bool:
        """See `AuthRequests.consume`."""
        return self.records.drop(id)


class MemoryLogoutRequests:
    """`LogoutRequests` in memory."""

    def __init__(self, clock: Clock) -> None:
        self.records: ExpiringRecords[LogoutRequest] = ExpiringRecords(clock)

    async def create(self, request: LogoutRequest, seconds: int) -> None:
        """See `LogoutRequests.create`."""
        self.records.put(request.id, request, seconds)

    async def find(self, id: str) -> LogoutRequest | None:
        """See `LogoutRequests.find`."""
        return self.records.get(id)

    async def arm(self, id: str, csrf: str) -> str | None:
        """See `LogoutRequests.arm`."""
        found = self.records.get(id)
        if found is None:
            return None
        self.records.change(id, replace(found, csrf=found.csrf or csrf))
        return found.csrf or csrf

    async def swap(self, id: str, old: str, new: str) -> bool:
        """See `LogoutRequests.swap`."""
        found = self.records.get(id)
        if found is None or not found.csrf or found.csrf != old:
            return False
        self.records.change(id, replace(found, csrf=new))
        return True

    async def consume(self, id: str) -> bool:
        """See `LogoutRequests.consume`."""
        return self.records.drop(id)


class MemoryParkedPosts:
    """`ParkedPosts` in memory."""

    def __init__(self, clock: Clock) -> None:
        self.records: ExpiringRecords[dict[str, str]] = ExpiringRecords(clock)

    async def park(self, id: str, parameters: dict[str, str], seconds: int) -> None:
        """See `ParkedPosts.park`."""
        self.records.put(id, dict(parameters), seconds)

    async def find(self, id: str) -> dict[str, str] | None:
        """See `ParkedPosts.find`."""
        return self.records.get(id)


class MemoryCodes:
    """`Codes` in memory, beside the sessions they are issued for."""

    def __init__(self, clock: Clock, sessions: MemorySessions) -> None:
        self.records: ExpiringRecords[CodeRecord] = ExpiringRecords(clock)
        self._sessions = sessions
        self._used: set[str] = set()
        self._codes: dict[str, str] = {}
        self._withdrawn: ExpiringRecords[str] = ExpiringRecords(clock)

    async def issue(self, code: str, record: CodeRecord, session: Session, now: float) -> Issued:
        """See `Codes.issue`."""
        if self._withdrawn.get(reference_of(code)) is not None:
            return Issued.WITHDRAWN
        if not await self._sessions.use(session, record.grant.client_id, now):
            return Issued.SESSION_ENDED
        self.records.put(code, record, record.expires_at - now)
        self._codes[reference_of(code)] = code
        return Issued.ISSUED

    async def withdraw(self, reference: str, seconds: int) -> bool:
        """See `Codes.withdraw`."""
        code = self._codes.get(reference, "")
        if code in self._used and self.records.get(code) is not None:
            return False
        self.records.drop(code)
        self._withdrawn.put(reference, code, seconds)
        return True

    async def claim(self, code: str, presented: Presented, now: float) -> Claim:
        """See `Codes.claim`."""
        record = self.records.get(code)
        if record is None:
            return Claim(Outcome.UNKNOWN)
        refused = _refused(record, presented)
        if refused:
            return Claim(refused)
        if code in self._used:
            return Claim(Outcome.SPENT, grant_id=record.grant.grant_id)
        if now >= record.expires_at:
            return Claim(Outcome.EXPIRED)
        self._used.add(code)
        self.records.put(code, record, MARK_SECONDS)
        if is_issued_ahead(record.issued_at, now):
            return Claim(Outcome.EXPIRED)
        return Claim(Outcome.CLAIMED, grant=record.grant)


def memory_authz_stores(clock: Clock) -> Stores:
    """All stores of authz in memory."""
    sessions, requests = MemorySessions(clock), MemoryAuthRequests(clock)
    return Stores(
        browsers=MemoryBrowsers(clock, requests),
        sessions=sessions,
        requests=requests,
        parked=MemoryParkedPosts(clock),
        codes=MemoryCodes(clock, sessions),
        endings=MemoryEndings(sessions),
        logouts=MemoryLogoutRequests(clock),
    )


def _refused(record: CodeRecord, presented: Presented) -> Outcome | None:
    if (record.grant.client_id, record.redirect_uri) != (presented.client_id, presented.redirect_uri):
        return Outcome.FOREIGN
    if not record.challenge:
        return Outcome.VERIFIER_UNASKED if presented.has_verifier else None
    if not presented.has_verifier:
        return Outcome.VERIFIER_MISSING
    return None if record.challenge == presented.challenge else Outcome.VERIFIER_WRONG
