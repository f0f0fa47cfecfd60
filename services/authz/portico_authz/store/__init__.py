"""The stores of authz in Redis: one file per aggregate, key names in `keys`, scripts in `lua`."""

from __future__ import annotations

from portico_runtime.redis_client import RedisClient

from portico_authz.domain.ports import Stores
from portico_authz.store.redis_auth_requests import RedisAuthRequests
from portico_authz.store.redis_browsers import RedisBrowsers
from portico_authz.store.redis_codes import RedisCodes
from portico_authz.store.redis_external_flows import RedisExternalFlows
from portico_authz.store.redis_logout_queue import RedisLogoutQueue
from portico_authz.store.redis_pending_logouts import RedisPendingLogouts
from portico_authz.store.redis_posted_requests import RedisPostedRequests
from portico_authz.store.redis_sessions import RedisSessions


def redis_stores(redis: RedisClient) -> Stores:
    """All stores over one client."""
    return Stores(
        browsers=RedisBrowsers(redis),
        sessions=RedisSessions(redis),
        requests=RedisAuthRequests(redis),
        posted_requests=RedisPostedRequests(redis),
        codes=RedisCodes(redis),
        logout_queue=RedisLogoutQueue(redis),
        logouts=RedisPendingLogouts(redis),
        external_flows=RedisExternalFlows(redis),
    )
