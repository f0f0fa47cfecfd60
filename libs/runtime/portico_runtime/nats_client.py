"""The client of NATS: it goes on trying to connect, and with ``tls://`` logs in over TLS or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client
from portico_contracts.catalogue import inbox_prefix

from portico_runtime.bus_handlers import log_error
from portico_runtime.refused_tls import trusting, why_refused
from portico_runtime.settings import InvalidSetting

PING_SECONDS: Final = 1.5
PINGS_UNANSWERED: Final = 2
"""A server that vanished without closing is left after at most three intervals (decision 0026)."""

PONG_SECONDS: Final = 0.8
"""Within the second that a check of readiness has."""

CLOSE_SECONDS: Final = 1.0

TLS: Final = "tls"
"""The scheme of a server that is reached over TLS only."""

log = structlog.get_logger("portico.bus")


class NatsClient(Client):
    """One user's connection to one of the servers.

    nats-py encrypts where the server states that it must, in a line that can be changed on its way. Where ``tls://`` is
    the address, this client does not go on without encryption.

    Attributes:
        refusal: why TLS failed the last time a connection was tried; empty for any other reason.

    Args:
        url: servers, comma-separated.
        user: empty for none.
        ca_file: of the certificates to trust; empty for the system's.

    Raises:
        InvalidSetting: only some servers are reached over TLS, or the file cannot be used.
    """

    def __init__(self, url: str, user: str, password: str, ca_file: str = "") -> None:
        super().__init__()
        self.refusal = ""
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
        """Returns once it is connected, however long that takes; from then on it reconnects by itself.

        Args:
            disconnected: called whenever the connection was lost.
        """
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
        """Returns once it is connected; a connection that is lost is not made again.

        Args:
            seconds: until a server has answered.
            report: takes what the server reports afterwards, such as a subject that is not the user's.

        Raises:
            nats.errors.Error, OSError, TimeoutError: none lets the user in.
        """
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
        """Disconnects. After a refused certificate the library waits for the end of a connection that never was."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await super().close()

    async def answers(self) -> bool:
        """Whether the server answers a ping; a connection over which nothing arrives counts as connected for seconds."""
        if not self.is_connected:
            return False
        pong: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        await self._send_ping(pong)  # `flush` cancels what a late pong then cannot set
        # Not cancelled: the library sets it when the pong arrives after all.
        arrived, _ = await asyncio.wait({pong}, timeout=PONG_SECONDS)
        return bool(arrived)

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
            ping_interval=PING_SECONDS,  # type: ignore[arg-type]
            max_outstanding_pings=PINGS_UNANSWERED,
            pending_size=0,
            tls=self._trusted,
            error_cb=self._take_error,
            disconnected_cb=disconnected,
        )

    async def _take_error(self, error: Exception) -> None:
        self.refusal = why_refused(error)
        await log_error(error)

    def _connect_command(self) -> bytes:
        """What the client logs in with.

        Raises:
            SecureConnWantedError: it would be readable on its way.
        """
        server = self._current_server
        if server is not None and server.uri.scheme == TLS:
            writer = getattr(self._transport, "_io_writer", None)
            if writer is None or writer.get_extra_info("ssl_object") is None:
                raise nats.errors.SecureConnWantedError
        return super()._connect_command()


async def _ignore(_error: Exception) -> None:
    """What goes wrong is raised where it is asked; the library would print it as well."""
