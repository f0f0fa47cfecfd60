"""The settings of users, composed from the shared sections."""

from __future__ import annotations

from portico_oauth.master_keys import MasterKeys
from portico_runtime.settings import (
    BusSection,
    GrpcSection,
    HashingSection,
    MailSection,
    MongoSection,
    OutboundSection,
    SealingSection,
    ServiceSection,
)
from pydantic import SecretStr, ValidationInfo, field_validator


class Settings(
    ServiceSection, GrpcSection, BusSection, MongoSection, HashingSection, SealingSection, OutboundSection, MailSection
):
    """Everything users reads from its environment."""

    # The sections are read from the last to the first, so that the mail server is known here.
    @field_validator("master_keys")
    @classmethod
    def _can_seal(cls, value: SecretStr, info: ValidationInfo) -> SecretStr:
        """Mails that wait hold codes: they are sealed."""
        if value.get_secret_value() or info.data.get("smtp_host"):
            MasterKeys.read(value.get_secret_value())
        return value
