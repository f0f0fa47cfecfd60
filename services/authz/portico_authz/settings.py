from __future__ import annotations

from typing import Final

from portico_runtime.geo_setting import GeoSection
from portico_runtime.own_clients_setting import OwnClientsSection
from portico_runtime.own_login_setting import OwnLoginSection
from portico_runtime.passkey_setting import PasskeySection
from portico_runtime.pushed_requests_setting import PushedRequestsSection
from portico_runtime.session_setting import SessionLifetimeSection
from portico_runtime.settings import (
    BusSection,
    LoginApiSection,
    LogoutSection,
    OutboundSection,
    RedisSection,
    ServiceSection,
    SessionSection,
    VersionedCacheSection,
)
from portico_runtime.spans_setting import SpansSection
from portico_runtime.zitadel_setting import ZitadelSection
from pydantic import SecretStr, ValidationInfo, field_validator

MIN_KEY: Final = 32


class AuthzSettings(
    ServiceSection,
    SpansSection,
    BusSection,
    RedisSection,
    VersionedCacheSection,
    LoginApiSection,
    SessionSection,
    SessionLifetimeSection,
    LogoutSection,
    OutboundSection,
    OwnClientsSection,
    GeoSection,
    PushedRequestsSection,
    OwnLoginSection,
    ZitadelSection,
    PasskeySection,
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
