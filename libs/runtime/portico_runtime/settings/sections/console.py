from __future__ import annotations

from pydantic import Field, SecretStr

from portico_runtime.settings.section import Section


class ConsoleSection(Section):
    """The console and the account page: the services they call, and the lifetime of their sessions."""

    token_url: str = Field(default="http://127.0.0.1:8002", description="Internal addresses of token, comma-separated.")
    keys_url: str = Field(default="http://127.0.0.1:8003", description="Internal addresses of keys, comma-separated.")
    users_url: str = Field(default="http://127.0.0.1:8004", description="Internal addresses of users, comma-separated.")
    console_client_key: SecretStr = Field(
        default=SecretStr(""),
        description="Private key (PEM, P-256) that the console authenticates with at the token endpoint.",
    )
    console_idle_seconds: int = Field(default=1_800, ge=120, description="Idle timeout of console sessions in seconds.")
    console_session_seconds: int = Field(
        default=28_800, ge=300, description="Maximum lifetime of console sessions in seconds."
    )
