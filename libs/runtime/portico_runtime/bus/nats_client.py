from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client
from portico_contracts.catalogue import inbox_prefix

from portico_runtime.bus.handlers import log_error
from portico_runtime.process.wakeup import together
from portico_runtime.settings.section import InvalidSetting
from portico_runtime.tls.refused import trusting, why_refused

SILENT_SECONDS: Final = 2.0
"""Without a ping or pong of the server for as long, it is asked; at rest it pings every 1.2 s."""

STALE_SECONDS: Final = 2.0
"""A server that does not answer for as long is left: it vanished without closing (decision 0026)."""

PONG_SECONDS: Final = 0.8
"""Within the second that a readiness check has."""

CLOSE_SECONDS: Final = 1.0

TLS: Final = "tls"

log = structlog.get_logger("portico.bus")


class NatsClient(Client):
    """One user's connection to one of the servers.

    nats-py encrypts when the server's INFO line requires it, which an attacker can change. With ``tls://``
    this client does not continue without encryption. `refusal` is why TLS failed at the last attempt, or
    empty.
    """

    def __init__(self, url: str, user: str, password: str, ca_file: str = "") -> None:
        super().__init__()
        self.refusal = ""
        self._heard = 0.0
        self._addresses = [address.strip() for address in url.split(",")]
        schemes = {address.startswith(f"{TLS}://") for address in self._addresses}
        if len(schemes) > 1 or (ca_file and False in schemes):
            raise InvalidSetting(
                "PORTICO_BUS_URL must use tls:// for all servers, or for none and without PORTICO_BUS_CA_FILE"
            )
        self._trusted = trusting(ca_file, "PORTICO_BUS_CA_FILE") if True in schemes else None
        self._login_user = user
        self._login_password = password

    async def connect_somehow(self, disconnected: Callable[[], Awaitable[None]]) -> None:
        """Returns once connected, however long that takes; reconnects by itself afterwards."""
        delay = 0.1
        while True:
            try:
                return await self._connect_as_user(disconnected)
            except (nats.errors.Error, OSError, TimeoutError) as error:
                log.warning("bus not reachable, retrying", cause=type(error).__name__)
                await asyncio.sleep(delay)
                delay = min(delay * 2, 2.0)

    async def connect_once(
        self, *, seconds: float, report: Callable[[Exception], Awaitable[None]] | None = None
    ) -> None:
        """Does not reconnect; `report` receives later errors of the server, such as denied subjects."""
        await self.connect(
            self._addresses,
            user=self._login_user or None,
            password=self._login_password or None,
            inbox_prefix=inbox_prefix(self._login_user or "none").encode(),
            allow_reconnect=False,
            reconnect_time_wait=0.05,  # type: ignore[arg-type]
            connect_timeout=seconds,  # type: ignore[arg-type]
            tls=self._trusted,
            error_cb=report or _ignore,
        )

    async def close(self) -> None:
        """Disconnects; the library would wait for a connection that a rejected certificate prevented."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await super().close()

    async def answers(self, seconds: float = PONG_SECONDS) -> bool:
        """Returns whether the server answers a ping; a dead connection counts as connected for seconds."""
        if not self.is_connected:
            return False
        pong: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        await self._send_ping(pong)  # `flush` cancels what a late pong then cannot set
        # Not cancelled: the library sets it when the pong arrives later.
        arrived, _ = await asyncio.wait({pong}, timeout=seconds)
        return bool(arrived)

    async def _ping_interval(self) -> None:
        """In place of the library's pings at an interval: the server sends its own, so silence is enough to look for."""
        self._hear()
        while True:
            await asyncio.sleep(together(SILENT_SECONDS))
            if asyncio.get_running_loop().time() < self._heard + SILENT_SECONDS:
                continue
            if not await self.answers(STALE_SECONDS) and self.is_connected:
                await self._process_op_err(nats.errors.StaleConnectionError())
                return

    def _hear(self) -> None:
        self._heard = asyncio.get_running_loop().time()

    async def _process_ping(self) -> None:
        self._hear()
        await super()._process_ping()

    async def _process_pong(self) -> None:
        self._hear()
        await super()._process_pong()

    async def _connect_as_user(self, disconnected: Callable[[], Awaitable[None]]) -> None:
        await self.connect(
            self._addresses,
            name=f"portico-{self._login_user}",
            user=self._login_user,
            password=self._login_password,
            inbox_prefix=inbox_prefix(self._login_user).encode(),
            max_reconnect_attempts=-1,
            reconnect_time_wait=0.5,  # type: ignore[arg-type]
            connect_timeout=2,
            pending_size=0,
            tls=self._trusted,
            error_cb=self._take_error,
            disconnected_cb=disconnected,
        )

    async def _take_error(self, error: Exception) -> None:
        self.refusal = why_refused(error)
        await log_error(error)

    def _connect_command(self) -> bytes:
        """Raises SecureConnWantedError if the connection is not encrypted."""
        server = self._current_server
        if server is not None and server.uri.scheme == TLS:
            writer = getattr(self._transport, "_io_writer", None)
            if writer is None or writer.get_extra_info("ssl_object") is None:
                raise nats.errors.SecureConnWantedError
        return super()._connect_command()


async def _ignore(_error: Exception) -> None:
    """Errors are raised by the call itself; the library would print them as well."""
