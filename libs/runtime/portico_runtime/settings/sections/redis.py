from __future__ import annotations

from pydantic import Field, SecretStr

from portico_runtime.settings.section import Section


class RedisSection(Section):
    """Redis: codes, sessions, grants, revocations and cache versions. Each service has its own Redis user."""

    redis_url: str = Field(
        default="redis://127.0.0.1:6379",
        description="redis://host, redis+sentinel://host,host/master or redis+cluster://host,host. Use rediss for TLS.",
    )
    redis_password: SecretStr = Field(default=SecretStr(""), description="Password of this service's Redis user.")
    redis_sentinel_user: str = Field(default="", description="User name for Sentinel, if it requires one.")
    redis_sentinel_password: SecretStr = Field(default=SecretStr(""), description="Password for Sentinel.")
    redis_timeout: float = Field(default=1.5, description="Timeout of a command in seconds.")
    redis_wait_replicas: int = Field(default=0, description="Number of replicas that must acknowledge a write.")
