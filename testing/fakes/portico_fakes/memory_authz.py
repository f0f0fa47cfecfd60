"""The stores of authz in memory; they pass the same conformance tests as those on Redis."""

from __future__ import annotations

from dataclasses import replace
from typing import Generic, TypeVar

from portico_authz.domain.auth_request import MOST_OF_ADDRESS, AuthRequest
from portico_authz.domain.browser import Browser, HandleRotation, RotationResult
from portico_authz.domain.code import Claim, ClaimOutcome, CodeRecord, IssueResult, NewCode, PresentedCode, reference_of
from portico_authz.domain.external import ExternalFlow, Mismatch
from portico_authz.domain.pending_logout import PendingLogout
from portico_authz.domain.ports import Stores
from portico_authz.domain.progress import FactorChallenge, Progress
from portico_authz.domain.session import Session
from portico_authz.domain.submission import Submission
from portico_authz.store.redis_codes import MARK_SECONDS
from portico_oauth.clock_leeway import is_issued_ahead
from portico_runtime.process.clock import Clock

from portico_fakes.expiring_records import ExpiringRecords
from portico_fakes.memory_devices import MemoryDevices, MemoryTries
from portico_fakes.memory_login_sessions import MemoryLoginSessions
from portico_fakes.memory_sessions import MemoryLogoutQueue, MemorySessions
from portico_fakes.memory_trusted_devices import MemoryTrustedDevices

Record = TypeVar("Record")


class MemoryBrowsers:
    def __init__(self, clock: Clock, requests: MemoryAuthRequests) -> None:
        self.records: ExpiringRecords[Browser] = ExpiringRecords(clock)
        self._requests = requests

    async def create(self, handle: str, browser: Browser, seconds: int) -> None:
        self.records.put(handle, browser, seconds)

    async def find(self, handle: str) -> Browser | None:
        return self.records.get(handle)

    async def find_with_request(self, handle: str, request_id: str) -> tuple[Browser | None, AuthRequest | None]:
        request = await self._requests.find(request_id)
        return await self.find(handle) if request else None, request

    async def extend(self, handle: str, seconds: int) -> None:
        self.records.extend(handle, seconds)

    async def replace(self, handle: str, browser: Browser) -> None:
        if self.records.get(handle) is not None:
            self.records.change(handle, browser)

    async def delete(self, handle: str) -> None:
        self.records.drop(handle)

    async def rotate_handle(self, rotation: HandleRotation, seconds: int) -> RotationResult:
        if self._requests.records.get(rotation.request_id) is None:
            return RotationResult.NOT_FOUND
        if not self.records.drop(rotation.old):
            return RotationResult.CHANGED if self.records.get(rotation.new) is None else RotationResult.ALREADY_ROTATED
        self.records.put(rotation.new, rotation.browser, seconds)
        self._requests.note(rotation)
        found = self._requests.records.get(rotation.request_id)
        if not rotation.answer or not found or found.answer:
            return RotationResult.ROTATED
        await self._requests.record_code(found, rotation.answer, rotation.answer_seconds)
        return RotationResult.ANSWERED


class MemoryAuthRequests:
    def __init__(self, clock: Clock) -> None:
        self.records: ExpiringRecords[AuthRequest] = ExpiringRecords(clock)
        self._repeats: dict[str, int] = {}

    async def create(self, request: AuthRequest, seconds: int, anonymous: str = "") -> None:
        """Applies the limit of an address to requests alone, and not the limit of all."""
        self.records.put(request.id, request, seconds)
        if not request.client_address or len(self.records) <= MOST_OF_ADDRESS:
            return
        open_ones = [one for one in self.records.values() if one.client_address == request.client_address]
        for one in open_ones[: max(0, len(open_ones) - MOST_OF_ADDRESS)]:
            if not one.is_proven:
                self.records.drop(one.id)

    async def forget(self, request: AuthRequest) -> None:
        if found := self.records.get(request.id):
            self.records.change(request.id, replace(found, client_address=""))

    async def find(self, id: str) -> AuthRequest | None:
        return self.records.get(id)

    async def replace_csrf(self, id: str, old: str, new: str) -> bool:
        found = self.records.get(id)
        if found is None or not found.csrf or found.csrf != old:
            return False
        self.records.change(id, replace(found, csrf=new))
        return True

    async def accept_submission(
        self, id: str, next_csrf: str, submission: Submission, progress: Progress | None = None
    ) -> bool:
        if not await self.replace_csrf(id, submission.csrf, next_csrf):
            return False
        accepted = replace(self._kept(id), submission=submission)
        if progress:
            accepted = replace(accepted, progress=progress, settled=submission.csrf)
        self.records.change(id, accepted)
        self._repeats[id] = 0
        return True

    async def settle(self, id: str, csrf: str) -> None:
        if found := self.records.get(id):
            self.records.change(id, replace(found, settled=csrf))

    async def count_retry(self, id: str, csrf: str, most: int) -> bool:
        found = self.records.get(id)
        if found is None or found.submission is None or found.submission.csrf != csrf:
            return False
        self._repeats[id] = self._repeats.get(id, 0) + 1
        return self._repeats[id] <= most

    async def record_code(self, request: AuthRequest, code: str, seconds: int) -> bool:
        found = self.records.get(request.id)
        if found is None or found.answer != request.answer:
            return False
        self.records.change(request.id, replace(found, answer=code, client_address=""))
        self.records.shorten(request.id, seconds)
        return True

    def note(self, rotation: HandleRotation) -> None:
        """Stores the authentication that a browser's new handle was issued for."""
        found = self._kept(rotation.request_id)
        earned = replace(
            found, progress=rotation.progress, submission=rotation.submission, signed_in=rotation.signed_in
        )
        self.records.change(rotation.request_id, earned)

    def _kept(self, id: str) -> AuthRequest:
        found = self.records.get(id)
        if found is None:
            raise LookupError(id)
        return found

    async def update(
        self, id: str, *, progress: Progress | None = None, signed_in: str | None = None, denied: bool = False
    ) -> bool:
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

    async def set_passkey_challenge(self, id: str, offered: FactorChallenge) -> bool:
        found = self.records.get(id)
        if found is None:
            return False
        self.records.change(id, replace(found, offered=offered))
        return True

    async def consume(self, id: str) -> bool:
        return self.records.drop(id)


class MemoryPendingLogouts:
    def __init__(self, clock: Clock) -> None:
        self.records: ExpiringRecords[PendingLogout] = ExpiringRecords(clock)

    async def create(self, request: PendingLogout, seconds: int) -> None:
        self.records.put(request.id, request, seconds)

    async def find(self, id: str) -> PendingLogout | None:
        return self.records.get(id)

    async def ensure_csrf(self, id: str, csrf: str) -> str | None:
        found = self.records.get(id)
        if found is None:
            return None
        self.records.change(id, replace(found, csrf=found.csrf or csrf))
        return found.csrf or csrf

    async def replace_csrf(self, id: str, old: str, new: str) -> bool:
        found = self.records.get(id)
        if found is None or not found.csrf or found.csrf != old:
            return False
        self.records.change(id, replace(found, csrf=new))
        return True

    async def consume(self, id: str) -> bool:
        return self.records.drop(id)


class MemoryExternalFlows:
    def __init__(self, clock: Clock) -> None:
        self.records: ExpiringRecords[ExternalFlow] = ExpiringRecords(clock)

    async def create(self, state: str, flow: ExternalFlow, seconds: int) -> None:
        self.records.put(state, flow, seconds)

    async def find(self, state: str) -> ExternalFlow | None:
        return self.records.get(state)

    async def claim(self, state: str, browser_id: str, provider_id: str) -> ExternalFlow | Mismatch | None:
        found = self.records.get(state)
        if found is None:
            return None
        if found.browser_id != browser_id:
            return Mismatch.BROWSER
        if found.provider_id != provider_id:
            return Mismatch.PROVIDER
        self.records.drop(state)
        return found


class MemoryRecords(Generic[Record]):
    def __init__(self, clock: Clock) -> None:
        self.records: ExpiringRecords[Record] = ExpiringRecords(clock)

    async def save(self, id: str, record: Record, seconds: int, client_address: str = "") -> None:
        self.records.put(id, record, seconds)

    async def find(self, id: str) -> Record | None:
        return self.records.get(id)

    async def consume(self, id: str) -> bool:
        return self.records.drop(id)


class MemoryPushedRequests:
    def __init__(self, clock: Clock) -> None:
        self.records: ExpiringRecords[dict[str, str]] = ExpiringRecords(clock)
        self._claimants: ExpiringRecords[str] = ExpiringRecords(clock)

    async def save(self, id: str, record: dict[str, str], seconds: int, client_address: str = "") -> None:
        self.records.put(id, dict(record), seconds)

    async def find(self, id: str) -> tuple[dict[str, str], str] | None:
        record = self.records.get(id)
        return None if record is None else (record, self._claimants.get(id) or "")

    async def claim(self, id: str, claimant: str, seconds: int, earlier: str = "") -> bool:
        self.records.get(id)  # raises when the store is down
        if self._claimants.get(id) not in (None, claimant, earlier):
            return False
        self._claimants.put(id, claimant, seconds)
        return True


class MemoryCodes:
    """Shares the sessions that codes are issued for."""

    def __init__(self, clock: Clock, sessions: MemorySessions) -> None:
        self.records: ExpiringRecords[CodeRecord] = ExpiringRecords(clock)
        self._sessions = sessions
        self._used: set[str] = set()
        self._codes: dict[str, str] = {}
        self._withdrawn: ExpiringRecords[str] = ExpiringRecords(clock)

    async def issue(self, code: str, record: CodeRecord, session: Session, now: float) -> IssueResult:
        if self._withdrawn.get(reference_of(code)) is not None:
            return IssueResult.WITHDRAWN
        if not await self._sessions.use(session, record.grant.client_id, now):
            return IssueResult.SESSION_ENDED
        self.records.put(code, record, record.expires_at - now)
        self._codes[reference_of(code)] = code
        return IssueResult.ISSUED

    async def issue_first(self, new: NewCode, session: Session, seconds: int, *, again: bool = False) -> bool:
        if not await self._sessions.save(session, seconds, again=again):
            return False
        return await self.issue(*new, session, new.record.issued_at) is IssueResult.ISSUED

    async def withdraw(self, reference: str, seconds: int) -> bool:
        code = self._codes.get(reference, "")
        if code in self._used and self.records.get(code) is not None:
            return False
        self.records.drop(code)
        self._withdrawn.put(reference, code, seconds)
        return True

    async def claim(self, code: str, presented: PresentedCode, now: float) -> Claim:
        record = self.records.get(code)
        if record is None:
            return Claim(ClaimOutcome.UNKNOWN)
        refused = _refused(record, presented)
        if refused:
            return Claim(refused)
        if code in self._used:
            return Claim(ClaimOutcome.ALREADY_REDEEMED, grant_id=record.grant.grant_id)
        if now >= record.expires_at:
            return Claim(ClaimOutcome.EXPIRED)
        self._used.add(code)
        self.records.put(code, record, MARK_SECONDS)
        if is_issued_ahead(record.issued_at, now):
            return Claim(ClaimOutcome.EXPIRED)
        return Claim(ClaimOutcome.CLAIMED, grant=record.grant)


def memory_authz_stores(clock: Clock) -> Stores:
    sessions, requests = MemorySessions(clock), MemoryAuthRequests(clock)
    return Stores(
        browsers=MemoryBrowsers(clock, requests),
        sessions=sessions,
        requests=requests,
        posted_requests=MemoryRecords(clock),
        pushed_requests=MemoryPushedRequests(clock),
        codes=MemoryCodes(clock, sessions),
        logout_queue=MemoryLogoutQueue(sessions),
        logouts=MemoryPendingLogouts(clock),
        external_flows=MemoryExternalFlows(clock),
        parked_returns=MemoryRecords(clock),
        devices=MemoryDevices(clock),
        tries=MemoryTries(clock),
        trusted_devices=MemoryTrustedDevices(clock),
        login_sessions=MemoryLoginSessions(clock),
        login_proofs=MemoryRecords(clock),
    )


def _refused(record: CodeRecord, presented: PresentedCode) -> ClaimOutcome | None:
    if (record.grant.client_id, record.redirect_uri) != (presented.client_id, presented.redirect_uri):
        return ClaimOutcome.OTHER_CLIENT
    if bool(record.challenge) is not presented.has_verifier:
        return ClaimOutcome.VERIFIER_MISSING if record.challenge else ClaimOutcome.UNEXPECTED_VERIFIER
    if record.challenge and record.challenge != presented.challenge:
        return ClaimOutcome.VERIFIER_WRONG
    return ClaimOutcome.OTHER_KEY if record.jkt and record.jkt != presented.jkt else None
