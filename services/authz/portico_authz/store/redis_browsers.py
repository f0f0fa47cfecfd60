"""Browser records in Redis: one key by the hash of the handle, so that a changed handle is a moved record."""

from __future__ import annotations

import msgspec
from portico_runtime.redis_client import RedisClient

from portico_authz.domain.auth_request import Progress
from portico_authz.domain.browser import Browser
from portico_authz.domain.renewal import Renewal, Renewed
from portico_authz.domain.submission import Submission
from portico_authz.store import keys, lua


class RedisBrowsers:
    """Implements `domain.ports.Browsers`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self._keep = redis.script(lua.source("keep"))
        self._extend = redis.script(lua.source("extend"))
        self._replace = redis.script(lua.source("replace"))
        self._drop = redis.script(lua.source("consume"))
        self._renew = redis.script(lua.source("renew_browser"))

    async def create(self, handle: str, browser: Browser, seconds: int) -> None:
        """See `Browsers.create`."""
        await self._redis.run(self._keep, [keys.browser(handle)], [_encode(browser), seconds])

    async def find(self, handle: str) -> Browser | None:
        """See `Browsers.find`."""
        if not keys.is_ours(handle):
            return None
        text = await self._redis.read("GET", keys.browser(handle))
        return msgspec.json.decode(text, type=Browser) if text else None

    async def extend(self, handle: str, seconds: int) -> None:
        """See `Browsers.extend`."""
        await self._redis.run(self._extend, [keys.browser(handle)], [seconds])

    async def renew(self, renewal: Renewal, seconds: int) -> Renewed:
        """See `Browsers.renew`. Handles and request begin with the browser's bucket: one slot."""
        places = [keys.browser(renewal.old), keys.browser(renewal.new), keys.request(renewal.request_id)]
        fields = {
            "progress": _encode(renewal.progress),
            "submission": _encode(renewal.submission),
            "sent": renewal.submission.csrf,
            "signed_in": renewal.signed_in,
        }
        pairs = [text for pair in fields.items() for text in pair]
        return Renewed(await self._redis.run(self._renew, places, [_encode(renewal.browser), seconds, *pairs]))

    async def replace(self, handle: str, browser: Browser) -> None:
        """See `Browsers.replace`."""
        await self._redis.run(self._replace, [keys.browser(handle)], [_encode(browser)])

    async def drop(self, handle: str) -> None:
        """See `Browsers.drop`."""
        await self._redis.run(self._drop, [keys.browser(handle)], [])


def _encode(kept: Browser | Progress | Submission) -> str:
    return msgspec.json.encode(kept).decode()
