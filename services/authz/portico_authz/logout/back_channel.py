"""Tells clients that a session ended (OpenID Connect Back-Channel Logout 1.0 §2.5), off the path of any request.

Works off the queue of ended sessions: revocation, should whoever began it have died; the event; the clients. Each
client that was answered for the session is told at least once, or tried ten times.
"""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

import structlog
from portico_contracts.events import SESSION_ENDED, SessionEvent
from portico_contracts.token import SIGN_LOGOUT_TOKENS, LogoutNotice, SignLogoutTokens
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import fingerprint
from portico_runtime.addresses import AddressRefused, OutboundError
from prometheus_client import Counter

from portico_authz.desk import Desk
from portico_authz.domain.ending import MAX_ATTEMPTS, Ending, delay_after
from portico_authz.domain.ports import Posts
from portico_authz.session.end_sessions import revoke

log = structlog.get_logger("portico.back_channel")

TOLD = Counter("portico_back_channel_logout_total", "Clients told that a session ended, by outcome.", ["outcome"])

POLL_SECONDS: Final = 0.5
CLAIM_SECONDS: Final = 60.0
"""How long a claimed session is left alone by others; longer than a whole try takes."""

RETRY_SECONDS: Final = 2.0
"""When token or the bus could not be asked."""

BATCH: Final = 16


class _Recipient(NamedTuple):
    client_id: str
    uri: str
    token: str


class BackChannel:
    """The work; any number of replicas do it side by side."""

    def __init__(self, desk: Desk, posts: Posts) -> None:
        self._desk = desk
        self._posts = posts

    async def work(self) -> None:
        """Waits for a session to end here, or a moment, then does what is due anywhere."""
        try:
            async with asyncio.timeout(POLL_SECONDS):
                await self._desk.bell.wait()
        except TimeoutError:
            pass
        self._desk.bell.clear()
        while await self.run_due() == BATCH:
            pass

    async def run_due(self) -> int:
        """Sees once to what is due; how many sessions that were.

        Raises:
            ServiceError: UNAVAILABLE, without the store.
        """
        now = self._desk.clock.now()
        sids = await self._desk.stores.endings.claim(now, now + CLAIM_SECONDS, BATCH)
        await asyncio.gather(*(self._see_to(sid) for sid in sids))
        return len(sids)

    async def _see_to(self, sid: str) -> None:
        endings = self._desk.stores.endings
        ending = await endings.find(sid)
        if ending is None:
            # It was planned for, but whoever wanted to end it did not get so far.
            await endings.finish(sid)
            return
        try:
            await self._settle(ending)
        except ServiceError as error:
            log.warning("logout waits", session=sid, cause=error.private)
            await endings.plan([sid], self._desk.clock.now() + RETRY_SECONDS)

    async def _settle(self, ending: Ending) -> None:
        sid = ending.session.sid
        if not ending.revoked:
            await revoke(self._desk, ending.session)
        if not ending.said:
            await self._say(ending)
        if await self._tell(ending):
            await self._desk.stores.endings.finish(sid)

    async def _say(self, ending: Ending) -> None:
        session = ending.session
        # The same id every time, so that the stream keeps one of them.
        id = fingerprint(f"ended:{session.sid}")
        said = SessionEvent(
            event_id=id,
            session_id=session.sid,
            user_id=session.user_id,
            at=self._desk.clock.now(),
            client_id=ending.ended_by,
        )
        await self._desk.bus.publish(SESSION_ENDED, said, event_id=id)
        await self._desk.stores.endings.set_said(session.sid)

    async def _tell(self, ending: Ending) -> bool:
        """Tries every client that is not told yet; True when nobody is left."""
        if not ending.clients:
            return True
        sid, endings = ending.session.sid, self._desk.stores.endings
        recipients = await self._recipients(ending)
        attempts = await endings.count_attempt(sid)
        told = await asyncio.gather(*(self._post(ending, recipient, attempts) for recipient in recipients))
        failed = {recipient.client_id for recipient, done in zip(recipients, told, strict=True) if not done}
        await endings.set_told(sid, [client_id for client_id in ending.clients if client_id not in failed])
        if failed:
            await endings.plan([sid], self._desk.clock.now() + delay_after(attempts))
        return not failed

    async def _recipients(self, ending: Ending) -> list[_Recipient]:
        """The clients that want to be told, each with a token made for this try."""
        found = [await self._desk.directory.find_client(client_id) for client_id in ending.clients]
        wanting = [client for client in found if client is not None and client.back_channel_logout_uri]
        if not wanting:
            return []
        session = ending.session
        notices = tuple(
            LogoutNotice(client_id=client.client_id, user_id=session.user_id, session_id=session.sid)
            for client in wanting
        )
        tokens = (await self._desk.bus.call(SIGN_LOGOUT_TOKENS, SignLogoutTokens(notices=notices))).tokens
        return [
            _Recipient(client.client_id, client.back_channel_logout_uri, token)
            for client, token in zip(wanting, tokens, strict=True)
            if token
        ]

    async def _post(self, ending: Ending, recipient: _Recipient, attempts: int) -> bool:
        """True when the client was told, or will not be told ever."""
        told = {"client_id": recipient.client_id, "session": ending.session.sid, "attempt": attempts}
        try:
            status = await self._posts.post_form(recipient.uri, {"logout_token": recipient.token})
        except OutboundError as error:
            cause, is_final = f"{type(error).__name__} {error}", isinstance(error, AddressRefused)
        else:
            if 200 <= status < 300:
                log.info("client told of the logout", status=status, **told)
                TOLD.labels("delivered").inc()
                return True
            cause, is_final = f"status {status}", False
        is_final = is_final or attempts >= MAX_ATTEMPTS
        log.warning("client not told of the logout", cause=cause, given_up=is_final, **told)
        TOLD.labels("given_up" if is_final else "failed").inc()
        return is_final
