from __future__ import annotations

from pydantic import Field, SecretStr

from portico_runtime.settings.section import Section


class MongoSection(Section):
    """MongoDB, the system of record. Each service has its own database and database user."""

    mongo_url: str = Field(
        default="mongodb://127.0.0.1:27017", description="mongodb:// or mongodb+srv://, without credentials."
    )
    mongo_password: SecretStr = Field(default=SecretStr(""), description="Password of this service's database user.")
    mongo_timeout: float = Field(default=2.0, description="Timeout of an operation in seconds.")
