from __future__ import annotations

import json

from portico_authz.store import keys
from redis.asyncio import Redis

from portico_scenarios.world import World


async def grow_old(world: World, user_id: str) -> None:
    """Sets the sign-ins of a user back by ten minutes."""
    password = world.stack.installation.redis_passwords["authz"]
    async with Redis.from_url(
        world.stack.layout.redis.url, username="authz", password=password, decode_responses=True
    ) as redis:
        for sid in await redis.zrange(keys.sessions_of(user_id), 0, -1):
            key = keys.session(str(sid))
            session = json.loads(await redis.hget(key, "session") or "")
            session["auth_time"] -= 600
            await redis.hset(key, "session", json.dumps(session))
