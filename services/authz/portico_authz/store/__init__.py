"""The stores of authz in Redis: one file per aggregate, key names in `keys`, scripts in `lua`."""

from __future__ import annotations

from typing import Final

from portico_runtime.redis.bounded_records import BoundedRecords
from portico_runtime.redis.client import RedisClient

from portico_authz.domain.auth_request import MOST_OF_ADDRESS
from portico_authz.domain.external import ParkedReturn
from portico_authz.domain.ports import Stores
from portico_authz.store import keys
from portico_authz.store.bounded_texts import BoundedTexts
from portico_authz.store.redis_auth_requests import RedisAuthRequests
from portico_authz.store.redis_browsers import RedisBrowsers
from portico_authz.store.redis_codes import RedisCodes
from portico_authz.store.redis_devices import RedisDevices, RedisTries
from portico_authz.store.redis_external_flows import RedisExternalFlows
from portico_authz.store.redis_login_sessions import RedisLoginProofs, RedisLoginSessions
from portico_authz.store.redis_logout_queue import RedisLogoutQueue
from portico_authz.store.redis_pending_logouts import RedisPendingLogouts
from portico_authz.store.redis_pushed_requests import RedisPushedRequests
from portico_authz.store.redis_sessions import RedisSessions
from portico_authz.store.redis_trusted_devices import RedisTrustedDevices

SHARE: Final = 0.25
"""Share of Redis's memory for unauthenticated records (decision 0127)."""


def redis_stores(redis: RedisClient, *, share: float = SHARE) -> Stores:
    bounded = BoundedRecords(redis, "authz", most=MOST_OF_ADDRESS, share=share)
    return Stores(
        browsers=RedisBrowsers(redis, bounded),
        sessions=RedisSessions(redis),
        requests=RedisAuthRequests(redis, bounded),
        posted_requests=BoundedTexts(redis, bounded, dict[str, str], keys.posted_request),
        pushed_requests=RedisPushedRequests(redis, bounded),
        codes=RedisCodes(redis),
        logout_queue=RedisLogoutQueue(redis),
        logouts=RedisPendingLogouts(redis),
        external_flows=RedisExternalFlows(redis, bounded),
        parked_returns=BoundedTexts(redis, bounded, ParkedReturn, keys.parked_return),
        devices=RedisDevices(redis, bounded),
        tries=RedisTries(redis),
        trusted_devices=RedisTrustedDevices(redis),
        login_sessions=RedisLoginSessions(redis, bounded),
        login_proofs=RedisLoginProofs(redis, bounded),
    )
