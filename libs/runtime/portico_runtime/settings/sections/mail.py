"""The settings of the SMTP server."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from portico_runtime.settings.mail_sender import read_sender
from portico_runtime.settings.section import CA_FILE, Section


class MailSection(Section):
    """The SMTP server that sends emails."""

    smtp_host: str = Field(
        default="", description="Host name of the SMTP server. Empty: no emails are sent and registration is off."
    )
    smtp_port: int = Field(default=587, ge=1, le=65_535, description="Port of the SMTP server.")
    smtp_security: Literal["starttls", "tls", "none"] = Field(
        default="starttls", description="starttls, tls (usually port 465) or none."
    )
    smtp_ca_file: str = Field(default="", description=CA_FILE)
    smtp_timeout: float = Field(default=10.0, gt=0, le=20, description="Timeout of each SMTP response in seconds.")
    smtp_user: str = Field(default="", description="User name for SMTP authentication. Empty: no authentication.")
    smtp_password: SecretStr = Field(default=SecretStr(""), description="Password for SMTP authentication.")
    smtp_from: str = Field(default="", description="Sender of emails, such as `Example <no-reply@example.com>`.")

    @field_validator("smtp_user")
    @classmethod
    def _is_kept_secret(cls, value: str, info: ValidationInfo) -> str:
        if value and info.data.get("smtp_security") == "none":
            raise ValueError("SMTP authentication requires TLS: set starttls or tls")
        return value

    @field_validator("smtp_from")
    @classmethod
    def _is_a_sender(cls, value: str, info: ValidationInfo) -> str:
        return read_sender(value) if info.data.get("smtp_host") else value
