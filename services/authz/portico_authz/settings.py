from __future__ import annotations

from typing import Final

from portico_runtime.settings.sections.bus import BusSection
from portico_runtime.settings.sections.geo import GeoSection
from portico_runtime.settings.sections.login_api import LoginApiSection
from portico_runtime.settings.sections.logout import LogoutSection
from portico_runtime.settings.sections.maximum_session import MaximumSessionSection
from portico_runtime.settings.sections.mtls import MtlsSection
from portico_runtime.settings.sections.outbound import OutboundSection
from portico_runtime.settings.sections.own_clients import OwnClientsSection
from portico_runtime.settings.sections.own_login import OwnLoginSection
from portico_runtime.settings.sections.passkey import PasskeySection
from portico_runtime.settings.sections.pushed_requests import PushedRequestsSection
from portico_runtime.settings.sections.redis import RedisSection
from portico_runtime.settings.sections.service import ServiceSection
from portico_runtime.settings.sections.sign_in_lifetime import SignInLifetimeSection
from portico_runtime.settings.sections.spans import SpansSection
from portico_runtime.settings.sections.versioned_cache import VersionedCacheSection
from portico_runtime.settings.sections.zitadel import ZitadelSection
from pydantic import SecretStr, ValidationInfo, field_validator

MIN_KEY: Final = 32


class AuthzSettings(
    ServiceSection,
    SpansSection,
    BusSection,
    RedisSection,
    VersionedCacheSection,
    LoginApiSection,
    SignInLifetimeSection,
    MaximumSessionSection,
    LogoutSection,
    OutboundSection,
    OwnClientsSection,
    GeoSection,
    PushedRequestsSection,
    OwnLoginSection,
    ZitadelSection,
    PasskeySection,
    MtlsSection,
):
    @field_validator("login_api_key")
    @classmethod
    def _is_long_enough(cls, value: SecretStr) -> SecretStr:
        if len(value.get_secret_value()) < MIN_KEY:
            raise ValueError(
                f"needs at least {MIN_KEY} characters; without it any caller could answer for the login pages"
            )
        return value

    @field_validator("own_login_url")
    @classmethod
    def _is_served(cls, value: str, info: ValidationInfo) -> str:
        if value and not info.data.get("zitadel_names"):
            raise ValueError("requires PORTICO_ZITADEL_NAMES, because own login pages call services with these names")
        return value
