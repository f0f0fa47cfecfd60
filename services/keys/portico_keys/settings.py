from __future__ import annotations

from portico_oauth.jose import ALGORITHMS
from portico_oauth.master_keys import MasterKeys
from portico_runtime.settings.sections.bus import BusSection
from portico_runtime.settings.sections.maximum_session import MaximumSessionSection
from portico_runtime.settings.sections.mongo import MongoSection
from portico_runtime.settings.sections.sealing import SealingSection
from portico_runtime.settings.sections.service import ServiceSection
from portico_runtime.settings.sections.signing import SigningSection
from portico_runtime.settings.sections.spans import SpansSection
from portico_runtime.settings.sections.token_lifetime import TokenLifetimeSection
from pydantic import SecretStr, field_validator


class Settings(
    ServiceSection,
    SpansSection,
    BusSection,
    MongoSection,
    SealingSection,
    SigningSection,
    TokenLifetimeSection,
    MaximumSessionSection,
):
    """The token and session lifetimes determine how long public keys are retained."""

    @field_validator("master_keys")
    @classmethod
    def _can_seal(cls, value: SecretStr) -> SecretStr:
        MasterKeys.read(value.get_secret_value())
        return value

    @field_validator("signing_algorithms")
    @classmethod
    def _are_known(cls, value: str) -> str:
        names = [name.strip() for name in value.split(",")]
        if not set(names) <= set(ALGORITHMS) or len(set(names)) != len(names):
            raise ValueError(f"the algorithms are {', '.join(ALGORITHMS)}, each at most once, comma-separated.")
        return value

    @property
    def algorithms(self) -> tuple[str, ...]:
        return tuple(name.strip() for name in self.signing_algorithms.split(","))
