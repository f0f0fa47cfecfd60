from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class DemoRpSettings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="PORTICO_DEMO_RP_", frozen=True)

    issuer: str = Field(description="URL of the issuer.")
    client_id: str = Field(description="Client ID.")
    client_secret: SecretStr = Field(default=SecretStr(""), description="Client secret. Empty for a public client.")
    client_secret_file: Path | None = Field(default=None, description="File with the client secret.")
    auth_method: str = Field(default="client_secret_basic", description="Client authentication method.")
    scope: str = Field(default="openid profile email", description="Scope to request.")
    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(default=8090, description="Port to listen on.")
    provider_at: str = Field(default="", description="Host and port of the issuer, if its name does not resolve to it.")
    ca_file: Path | None = Field(default=None, description="PEM file with the certificate authority of the issuer.")

    @model_validator(mode="before")
    @classmethod
    def _read_secret(cls, values: dict[str, Any]) -> dict[str, Any]:
        path = values.get("client_secret_file")
        if not path or values.get("client_secret"):
            return values
        return {**values, "client_secret": Path(path).read_text(encoding="utf-8").strip()}

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def redirect_uri(self) -> str:
        return f"{self.url}/callback"

    @property
    def post_logout_redirect_uri(self) -> str:
        return f"{self.url}/signed-out"

    @property
    def back_channel_logout_uri(self) -> str:
        return f"{self.url}/backchannel-logout"
