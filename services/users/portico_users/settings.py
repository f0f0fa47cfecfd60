from __future__ import annotations

from urllib.parse import urlsplit

from portico_oauth.master_keys import MasterKeys
from portico_runtime.settings.sections.breached_passwords import BreachedPasswordsSection
from portico_runtime.settings.sections.bus import BusSection
from portico_runtime.settings.sections.grpc import GrpcSection
from portico_runtime.settings.sections.hashing import HashingSection
from portico_runtime.settings.sections.mail import MailSection
from portico_runtime.settings.sections.mongo import MongoSection
from portico_runtime.settings.sections.outbound import OutboundSection
from portico_runtime.settings.sections.passkey import PasskeySection
from portico_runtime.settings.sections.redis import RedisSection
from portico_runtime.settings.sections.sealing import SealingSection
from portico_runtime.settings.sections.service import ServiceSection
from portico_runtime.settings.sections.sign_in_log import SignInLogSection
from portico_runtime.settings.sections.spans import SpansSection
from portico_runtime.settings.sections.step_up import StepUpSection
from portico_runtime.settings.sections.token_lifetime import TokenLifetimeSection
from portico_runtime.settings.sections.zitadel import ZitadelSection
from pydantic import SecretStr, ValidationInfo, field_validator

from portico_users.credentials.webauthn.options import contains_host
from portico_users.policies.token_lifetimes import LongestLifetimes


class Settings(
    ServiceSection,
    SpansSection,
    GrpcSection,
    BusSection,
    MongoSection,
    RedisSection,
    HashingSection,
    SealingSection,
    OutboundSection,
    TokenLifetimeSection,
    MailSection,
    StepUpSection,
    SignInLogSection,
    BreachedPasswordsSection,
    ZitadelSection,
    PasskeySection,
):
    @property
    def longest_lifetimes(self) -> LongestLifetimes:
        return LongestLifetimes(
            access_token=self.access_token_seconds,
            id_token=self.id_token_seconds,
            refresh_idle=self.refresh_idle_seconds,
            refresh=self.refresh_seconds,
        )

    @field_validator("issuer")
    @classmethod
    def _is_in_the_domain_of_passkeys(cls, value: str, info: ValidationInfo) -> str:
        domain = info.data.get("passkey_domain")
        if domain and not contains_host(domain, urlsplit(value).hostname or ""):
            raise ValueError("PORTICO_PASSKEY_DOMAIN must be the host of the issuer or a parent domain of it")
        return value

    # Sections are validated from last to first, so the mail server is already known here.
    @field_validator("master_keys")
    @classmethod
    def _can_seal(cls, value: SecretStr, info: ValidationInfo) -> SecretStr:
        """Requires master keys with a mail server, because pending emails contain codes and are encrypted."""
        if value.get_secret_value() or info.data.get("smtp_host"):
            MasterKeys.read(value.get_secret_value())
        return value
