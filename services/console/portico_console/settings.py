from __future__ import annotations

from portico_oauth.master_keys import MasterKeys
from portico_runtime.settings.sections.console import ConsoleSection
from portico_runtime.settings.sections.console_url import ConsoleUrlSection
from portico_runtime.settings.sections.redis import RedisSection
from portico_runtime.settings.sections.sealing import SealingSection
from portico_runtime.settings.sections.service import ServiceSection
from portico_runtime.settings.sections.spans import SpansSection
from portico_runtime.settings.sections.step_up import StepUpSection
from pydantic import SecretStr, field_validator

from portico_console.sign_in.assertion import read_client_key


class Settings(
    ServiceSection, SpansSection, RedisSection, SealingSection, StepUpSection, ConsoleSection, ConsoleUrlSection
):
    @field_validator("master_keys")
    @classmethod
    def _are_keys(cls, value: SecretStr) -> SecretStr:
        MasterKeys.read(value.get_secret_value())
        return value

    @field_validator("console_client_key")
    @classmethod
    def _is_a_key(cls, value: SecretStr) -> SecretStr:
        read_client_key(value.get_secret_value())
        return value
