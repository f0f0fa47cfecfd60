"""Notifies clients of ended sessions (OpenID Connect Back-Channel Logout 1.0 section 2.5), outside of any request.

Works through the queue of ended sessions: revocation, if the replica that started it failed; the event; the
clients, each notified at least once, or attempted ten times.
"""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

import structlog
from portico_contracts.events import SESSION_ENDED, SessionEvent
from portico_contracts.token import SIGN_LOGOUT_TOKENS, LogoutNotice, SignLogoutTokens
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import fingerprint
from portico_runtime.http_client.addresses import AddressNotAllowed, OutboundError
from prometheus_client.metrics import Counter

from portico_authz.dependencies import Dependencies
from portico_authz.domain.ended_session import MAX_ATTEMPTS, EndedSession, delay_after
from portico_authz.domain.ports import Posts
from portico_authz.session.end_sessions import revoke

log = structlog.get_logger("portico.back_channel")

NOTIFIED = Counter("portico_back_channel_logout_total", "Back-channel logout notifications by outcome.", ["outcome"])

LOOK_SECONDS: Final = 5.0
"""Seconds between looks for sessions whose replica stopped before it processed them."""

CLAIM_SECONDS: Final = 60.0
"""How long a claimed session is reserved for one replica; longer than a whole attempt takes."""

RETRY_SECONDS: Final = 2.0

BATCH: Final = 16


class _Recipient(NamedTuple):
    client_id: str
    uri: str
    token: str


class BackChannel:
    """The worker; any number of replicas run it concurrently."""

    def __init__(self, deps: Dependencies, posts: Posts) -> None:
        self._deps = deps
        self._posts = posts

    async def work(self) -> None:
        """Processes every due session, then waits for the next one, or for one that ends on this replica."""
        next_time = await self._deps.stores.logout_queue.find_next_time()
        now = self._deps.clock.now()
        if next_time is None or next_time > now:
            await self._deps.back_channel_wakeup.wait(min(LOOK_SECONDS, (next_time or now + LOOK_SECONDS) - now))
            return
        while await self.run_due() == BATCH:
            pass

    async def run_due(self) -> int:
        """Processes one batch of due sessions and returns their number."""
        now = self._deps.clock.now()
        sids = await self._deps.stores.logout_queue.claim(now, now + CLAIM_SECONDS, BATCH)
        await asyncio.gather(*(self._process(sid) for sid in sids))
        return len(sids)

    async def _process(self, sid: str) -> None:
        queue = self._deps.stores.logout_queue
        ended_session = await queue.find(sid)
        if ended_session is None:
            # It was enqueued, but the call that was to end it failed before.
            await queue.complete(sid)
            return
        try:
            await self._notify(ended_session)
        except ServiceError as error:
            log.warning("back-channel logout delayed", session=sid, cause=error.private)
            await queue.enqueue([sid], self._deps.clock.now() + RETRY_SECONDS)

    async def _notify(self, ended_session: EndedSession) -> None:
        sid = ended_session.session.sid
        if not ended_session.revoked:
            await revoke(self._deps, ended_session.session)
        if not ended_session.published:
            await self._publish(ended_session)
        if await self._notify_clients(ended_session):
            await self._deps.stores.logout_queue.complete(sid)

    async def _publish(self, ended_session: EndedSession) -> None:
        session = ended_session.session
        # A stable id, so that the stream stores the event once.
        id = fingerprint(f"ended:{session.sid}")
        event = SessionEvent(
            event_id=id,
            session_id=session.sid,
            user_id=session.user_id,
            at=self._deps.clock.now(),
            client_id=ended_session.ended_by,
            actor=ended_session.actor,
        )
        await self._deps.bus.publish(SESSION_ENDED, event, event_id=id)
        await self._deps.stores.logout_queue.set_published(session.sid)

    async def _notify_clients(self, ended_session: EndedSession) -> bool:
        if not ended_session.clients:
            return True
        sid, queue = ended_session.session.sid, self._deps.stores.logout_queue
        recipients = await self._recipients(ended_session)
        attempts = await queue.count_attempt(sid)
        results = await asyncio.gather(*(self._post(ended_session, recipient, attempts) for recipient in recipients))
        failed = {recipient.client_id for recipient, done in zip(recipients, results, strict=True) if not done}
        await queue.set_notified(sid, [client_id for client_id in ended_session.clients if client_id not in failed])
        if failed:
            await queue.enqueue([sid], self._deps.clock.now() + delay_after(attempts))
        return not failed

    async def _recipients(self, ended_session: EndedSession) -> list[_Recipient]:
        found = [await self._deps.users_client.find_client(client_id) for client_id in ended_session.clients]
        notified = [client for client in found if client is not None and client.back_channel_logout_uri]
        if not notified:
            return []
        session = ended_session.session
        notices = tuple(
            LogoutNotice(client_id=client.client_id, user_id=session.user_id, session_id=session.sid)
            for client in notified
        )
        tokens = (await self._deps.bus.call(SIGN_LOGOUT_TOKENS, SignLogoutTokens(notices=notices))).tokens
        return [
            _Recipient(client.client_id, client.back_channel_logout_uri, token)
            for client, token in zip(notified, tokens, strict=True)
            if token
        ]

    async def _post(self, ended_session: EndedSession, recipient: _Recipient, attempts: int) -> bool:
        """Returns True when the client is notified, or the notification is abandoned."""
        context = {"client_id": recipient.client_id, "session": ended_session.session.sid, "attempt": attempts}
        try:
            status = await self._posts.post_form(recipient.uri, {"logout_token": recipient.token})
        except OutboundError as error:
            cause, is_final = f"{type(error).__name__} {error}", isinstance(error, AddressNotAllowed)
        else:
            if 200 <= status < 300:
                log.info("client notified of the logout", status=status, **context)
                NOTIFIED.labels("delivered").inc()
                return True
            cause, is_final = f"status {status}", False
        is_final = is_final or attempts >= MAX_ATTEMPTS
        log.warning("client not notified of the logout", cause=cause, given_up=is_final, **context)
        NOTIFIED.labels("given_up" if is_final else "failed").inc()
        return is_final
