"""Redis as the stores use it: bounded time, no silent retries, refusals instead of driver errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import structlog
from portico_oauth.errors import UNAVAILABLE
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.commands.core import AsyncScript
from redis.exceptions import RedisError
from redis.maint_notifications import MaintNotificationsConfig

from portico_runtime.settings import RedisSection

log = structlog.get_logger("portico.redis")


class RedisClient:
    """One pool, logged in as the service's own user, whose keys all begin with ``<service>:``."""

    def __init__(self, settings: RedisSection, user: str) -> None:
        self._wait_replicas = settings.redis_wait_replicas
        self._wait_ms = int(settings.redis_timeout * 1000)
        pool = BlockingConnectionPool.from_url(
            settings.redis_url,
            username=user,
            password=settings.redis_password.get_secret_value(),
            max_connections=64,
            timeout=settings.redis_timeout,
            socket_timeout=settings.redis_timeout,
            socket_connect_timeout=settings.redis_timeout,
            # A claim that is sent twice is claimed by nobody: a broken connection is the caller's 503.
            # Stale pooled connections are found before use instead.
            retry=Retry(NoBackoff(), 0),
            # With these notifications on, redis-py hands out closed connections without looking.
            maint_notifications_config=MaintNotificationsConfig(enabled=False),
            health_check_interval=0,
            decode_responses=True,
        )
        self._redis: Redis = Redis(connection_pool=pool)

    async def start(self) -> None:
        """Nothing to begin: connections are made when they are needed."""

    async def check(self) -> None:
        """Raises unless Redis answers."""
        await self._redis.ping()

    async def close(self) -> None:
        """Closes all connections."""
        await self._redis.aclose()
        await self._redis.connection_pool.disconnect()

    def script(self, source: str) -> AsyncScript:
        """Prepares a Lua script; run it with `run`."""
        return self._redis.register_script(source)

    async def run(self, script: AsyncScript, keys: Sequence[str], args: Sequence[str | int | float]) -> Any:
        """Runs a script atomically: all its keys are in one slot.

        Raises:
            Refusal: `unavailable` when it cannot be known to have run, or replicas did not acknowledge it.
        """
        try:
            result = await script(keys=list(keys), args=list(args))
            if self._wait_replicas:
                acknowledged = await self._redis.wait(self._wait_replicas, self._wait_ms)
                if acknowledged < self._wait_replicas:
                    raise UNAVAILABLE.refusal(retry_after=1, part="redis", cause="replicas")
            return result
        except (RedisError, OSError, TimeoutError) as error:
            raise self._unavailable(error) from error

    async def read(self, command: str, *args: str | int) -> Any:
        """Runs one reading command.

        Raises:
            Refusal: `unavailable`.
        """
        try:
            return await self._redis.execute_command(command, *args)  # type: ignore[no-untyped-call]
        except (RedisError, OSError, TimeoutError) as error:
            raise self._unavailable(error) from error

    def _unavailable(self, error: Exception) -> Exception:
        log.warning("redis failed", cause=type(error).__name__, text=str(error)[:120])
        return UNAVAILABLE.refusal(retry_after=1, part="redis", cause=type(error).__name__)
