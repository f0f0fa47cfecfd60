"""The stores of authz in Redis: one file per aggregate, key names in `keys`, scripts in `lua`."""

from __future__ import annotations

from portico_runtime.redis_client import RedisClient

from portico_authz.domain.ports import Stores
from portico_authz.store.redis_auth_requests import RedisAuthRequests
from portico_authz.store.redis_browsers import RedisBrowsers
from portico_authz.store.redis_codes import RedisCodes
from portico_authz.store.redis_endings import RedisEndings
from portico_authz.store.redis_logout_requests import RedisLogoutRequests
from portico_authz.store.redis_parked_posts import RedisParkedPosts
from portico_authz.store.redis_sessions import RedisSessions


def redis_stores(redis: RedisClient) -> Stores:
    """All stores over one client."""
    return Stores(
        browsers=RedisBrowsers(redis),
        sessions=RedisSessions(redis),
        requests=RedisAuthRequests(redis),
        parked=RedisParkedPosts(redis),
        codes=RedisCodes(redis),
        endings=RedisEndings(redis),
        logouts=RedisLogoutRequests(redis),
    )
