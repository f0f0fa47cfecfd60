"""All settings, as sections that services compose; read from ``PORTICO_*`` and from a directory of secrets.

A value comes from the environment variable ``PORTICO_<NAME>``, or, for secrets above all, from a file
``portico_<name>`` in the directory ``PORTICO_SECRETS_DIR`` names (as container platforms mount them).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, Literal, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    HttpUrl,
    SecretStr,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from portico_runtime.addresses import Network, read_allow_list, read_networks
from portico_runtime.mail_sender import read_sender
from portico_runtime.service_links import service_links
from portico_runtime.setting_modules import import_sections

PREFIX: Final = "PORTICO_"
_NOT_OURS: Final = frozenset({"PORTICO_SECRETS_DIR"})
_STACK_PREFIXES: Final = ("PORTICO_STACK_", "PORTICO_DEMO_", "PORTICO_TEST_")
"""Names that belong to `make up`, its demo document and the tests, not to a service."""


class Section(BaseModel):
    """A group of settings; a service's settings class inherits the sections it needs.

    Every setting is one text of the environment or of a file, which `load` reads and Pydantic converts. The library
    for settings of every other kind takes more memory than most services' own code (decision 0044).
    """

    model_config = ConfigDict(extra="ignore", frozen=True, validate_default=True, hide_input_in_errors=True)


class ServiceSection(Section):
    """What every service needs."""

    issuer: str = Field(default="http://localhost:8080", description="The public URL, without a trailing slash.")
    host: str = Field(default="127.0.0.1", description="Address the service listens on.")
    port: int = Field(default=8000, description="Port of the service's own HTTP surface.")
    internal_port: int = Field(default=9000, description="Port of /healthz, /readyz and /metrics.")
    log_level: str = Field(default="info", description="debug, info, warning or error.")
    drain_seconds: float = Field(default=3.0, description="How long requests may finish after SIGTERM.")
    trusted_proxies: str = Field(
        default="127.0.0.0/8,::1/128",
        description="Networks of what connects to the service, comma-separated: what they state of a client counts.",
    )
    gateway_proxies: str = Field(
        default="", description="Networks of proxies before the gateway, in which no client is."
    )

    @field_validator("issuer")
    @classmethod
    def _is_an_origin(cls, value: str) -> str:
        url = TypeAdapter(HttpUrl).validate_python(value)
        if value.endswith("/") or url.query or url.fragment or url.username:
            raise ValueError("the issuer is scheme, host and port, without a trailing slash")
        return value

    @field_validator("trusted_proxies", "gateway_proxies")
    @classmethod
    def _are_networks(cls, value: str) -> str:
        read_networks(value)
        return value

    @property
    def proxy_networks(self) -> tuple[Network, ...]:
        """The networks of `trusted_proxies`."""
        return read_networks(self.trusted_proxies)

    @property
    def forwarding_networks(self) -> tuple[Network, ...]:
        """The networks of `gateway_proxies`."""
        return read_networks(self.gateway_proxies)

    @property
    def secure(self) -> bool:
        """The issuer is https, so cookies carry Secure and __Host-."""
        return self.issuer.startswith("https://")


class GrpcSection(Section):
    """A second port, for plain gRPC: HTTP/2 without TLS, behind the gateway."""

    grpc_port: int = Field(default=8100, description="Port of the HTTP/2 server for plain gRPC.")


GRPC_PORT: Final = "grpc_port"
"""The field that gives a service this port."""


DEGRADED_SECONDS: Final = 30.0


class BusSection(Section):
    """The bus; each service logs in as its own user, named like the service."""

    bus_url: str = Field(default="nats://127.0.0.1:4222", description="NATS servers, comma-separated; tls:// for TLS.")
    bus_ca_file: str = Field(default="", description="PEM file of the certificates to trust; empty for the system's.")
    bus_password: SecretStr = Field(default=SecretStr(""), description="Password of this service's bus user.")
    bus_degraded_seconds: float = Field(
        default=DEGRADED_SECONDS, ge=0, description="Readiness tells when events cannot be published for so long."
    )
    bus_stream_replicas: int = Field(default=1, ge=1, le=5, description="NATS servers that hold each event.")


class FactsSection(Section):
    """What is remembered of people while it is provably current (decision 0039)."""

    people_in_memory: int = Field(default=100_000, ge=100, description="People remembered, 1.6 KiB each at most.")


class RedisSection(Section):
    """The store of codes, sessions, grants, revocations and versions of facts; each service is its own Redis user."""

    redis_url: str = Field(
        default="redis://127.0.0.1:6379",
        description="redis://host, redis+sentinel://host,host/master or redis+cluster://host,host; rediss: TLS.",
    )
    redis_password: SecretStr = Field(default=SecretStr(""), description="Password of this service's Redis user.")
    redis_sentinel_user: str = Field(default="", description="User of the Sentinels, where they want one.")
    redis_sentinel_password: SecretStr = Field(default=SecretStr(""), description="Password of the Sentinels.")
    redis_timeout: float = Field(default=1.5, description="Seconds a command may take.")
    redis_wait_replicas: int = Field(default=0, description="Replicas that must acknowledge a claim.")


class MongoSection(Section):
    """The system of record; each service is its own database user of its own database."""

    mongo_url: str = Field(
        default="mongodb://127.0.0.1:27017", description="mongodb:// or mongodb+srv://, no credentials."
    )
    mongo_password: SecretStr = Field(default=SecretStr(""), description="Password of this service's database user.")
    mongo_timeout: float = Field(default=2.0, description="Seconds an operation may take.")


class SealingSection(Section):
    """Secrets at rest are sealed under a master key."""

    master_keys: SecretStr = Field(
        default=SecretStr(""),
        description="Base64 keys of 32 bytes, comma-separated; the first seals, all unseal.",
    )


class LoginApiSection(Section):
    """The credential between the login pages and authz's login API."""

    login_api_key: SecretStr = Field(default=SecretStr(""), description="Shared secret, at least 32 characters.")


class LoginPagesSection(Section):
    """Where the login pages find authz."""

    authz_url: str = Field(default="http://127.0.0.1:8001", description="authz's own address, inside.")


class ConsoleSection(Section):
    """The console and the account page: where they find the services they ask, and how long their sessions last."""

    token_url: str = Field(default="http://127.0.0.1:8002", description="token's own addresses, comma-separated.")
    keys_url: str = Field(default="http://127.0.0.1:8003", description="keys' own addresses, comma-separated.")
    users_url: str = Field(default="http://127.0.0.1:8004", description="users' own addresses, comma-separated.")
    console_url: str = Field(
        default="", description="Scheme, host and port the console is at; empty for those of the issuer."
    )
    console_client_key: SecretStr = Field(
        default=SecretStr(""), description="Private key (PEM, P-256) console authenticates with at the token endpoint."
    )
    console_idle_seconds: int = Field(default=1_800, ge=120, description="Idleness that ends a session of console.")
    console_session_seconds: int = Field(
        default=28_800, ge=300, description="A session of console ends after this in any case."
    )


class SessionSection(Section):
    """Lifetimes authz decides, in seconds."""

    code_seconds: int = Field(default=60, le=60, description="Lifetime of an authorization code.")
    auth_request_seconds: int = Field(default=1800, description="How long a login may take.")
    session_idle_seconds: int = Field(default=86_400, description="A session ends after this much idleness.")
    second_factor_seconds: int = Field(default=64_800, description="A second factor is asked for again after this.")


class LogoutSection(Section):
    """Signing out."""

    logout_confirm: Literal["always", "never"] = Field(
        default="always",
        description="Ask before a logout that no id_token_hint of this browser vouches for: always or never.",
    )


class OutboundSection(Section):
    """Requests to addresses others registered: back-channel logout, keys of identity providers."""

    outbound_allow: str = Field(
        default="", description="host:port, comma-separated, that may be private, and http; all else is public https."
    )
    outbound_ca_file: str = Field(default="", description="PEM file of certificates to trust; empty for the system's.")

    @field_validator("outbound_allow")
    @classmethod
    def _is_a_list(cls, value: str) -> str:
        read_allow_list(value)
        return value


class TokenLifetimeSection(Section):
    """The longest lives of tokens, in seconds; the instance can set shorter ones.

    The same for all that read them: keys keeps a retired key as long as tokens can live.
    """

    access_token_seconds: int = Field(default=3_600, description="Lifetime of an access token.")
    id_token_seconds: int = Field(default=3_600, description="Lifetime of an id_token.")
    refresh_idle_seconds: int = Field(default=2_592_000, description="A refresh token dies unused after this.")
    refresh_seconds: int = Field(default=7_776_000, description="A refresh family dies after this in any case.")


class SigningSection(Section):
    """Which signing keys there are."""

    signing_algorithms: str = Field(
        default="RS256,ES256,EdDSA", description="Algorithms to keep a key for, comma-separated."
    )
    signing_rsa_bits: int = Field(default=2048, ge=2048, le=4096, description="Size of RSA keys.")
    signing_wait_seconds: int = Field(default=3_600, ge=0, description="A key is published this long before it signs.")
    signing_now_wait_seconds: float = Field(default=10.0, ge=0, description="The same for a key wanted at once.")
    signing_seconds: int = Field(default=2_592_000, ge=60, description="A key signs this long before the next one.")
    keys_requests_per_minute: int = Field(default=3_000, ge=1, description="Per address and replica, at the key set.")


class MailSection(Section):
    """The SMTP server that accepts the emails."""

    smtp_host: str = Field(default="", description="Its name; empty when no emails can be sent: registration is off.")
    smtp_port: int = Field(default=587, ge=1, le=65_535, description="Its port.")
    smtp_security: Literal["starttls", "tls", "none"] = Field(default="starttls", description="tls is at port 465.")
    smtp_ca_file: str = Field(default="", description="PEM file of the certificates to trust; empty for the system's.")
    smtp_timeout: float = Field(default=10.0, gt=0, le=20, description="Seconds each of its answers may take.")
    smtp_user: str = Field(default="", description="The user to log in as; empty for no login.")
    smtp_password: SecretStr = Field(default=SecretStr(""), description="The password of that user.")
    smtp_from: str = Field(default="", description="The sender of emails: ``Name <address>``, whatever the name has.")

    @field_validator("smtp_user")
    @classmethod
    def _is_kept_secret(cls, value: str, info: ValidationInfo) -> str:
        if value and info.data.get("smtp_security") == "none":
            raise ValueError("a password is sent over TLS only")
        return value

    @field_validator("smtp_from")
    @classmethod
    def _is_a_sender(cls, value: str, info: ValidationInfo) -> str:
        return read_sender(value) if info.data.get("smtp_host") else value


class HashingSection(Section):
    """Password hashing: our own (argon2id) in one lane, imported hashes in another with half of the workers."""

    argon2_memory_kib: int = Field(default=19_456, description="Memory per hash in KiB.")
    argon2_passes: int = Field(default=2, description="Passes over the memory.")
    hashing_workers: int = Field(default=2, description="Hashes computed at the same time, at most one for each core.")
    hashing_queue: int = Field(
        default=200, description="Hashes that may wait in a lane, however short; more are refused with 503."
    )


SettingsOf = TypeVar("SettingsOf", bound=Section)


class InvalidSetting(ValueError):
    """Something about the environment as a whole, in a sentence for the operator."""


class UnknownSetting(InvalidSetting):
    """A PORTICO_* name that no service knows: most likely a typing error."""


def load(kind: type[SettingsOf]) -> SettingsOf:
    """Reads the settings of one service.

    Raises:
        InvalidSetting: for a ``PORTICO_*`` variable that is a setting of no service, or a directory of secrets
            that is not there or holds a file that cannot be read.
        pydantic.ValidationError: for a value that does not fit.
    """
    _refuse_unknown(linked := service_links(os.environ))
    directory = os.environ.get("PORTICO_SECRETS_DIR")
    if directory and not Path(directory).is_dir():
        raise InvalidSetting("PORTICO_SECRETS_DIR names no directory")
    files = {path.name.upper(): path for path in Path(directory).iterdir()} if directory else {}
    variables = {name.upper(): value for name, value in os.environ.items() if name not in linked}
    given: dict[str, str] = {}
    for field in kind.model_fields:
        name = f"{PREFIX}{field.upper()}"
        if name in variables:
            given[field] = variables[name]
        elif name in files:
            given[field] = _read_file(files[name])
    return kind.model_validate(given)


def known_names() -> frozenset[str]:
    """Every environment name any service reads."""
    import_sections()
    return frozenset(f"{PREFIX}{name.upper()}" for section in Section.__subclasses__() for name in section.model_fields)


def effective(settings: Section) -> dict[str, str]:
    """The values in force by environment name, secrets masked: what ``check-settings`` prints."""
    return {f"{PREFIX}{name.upper()}": str(value) for name, value in sorted(settings.model_dump().items())}


def explain(error: ValidationError) -> str:
    """Wrong settings as sentences, by environment name; never the values, which may be secrets."""
    return " ".join(
        f"{PREFIX}{'_'.join(str(part) for part in problem['loc']).upper()}: {problem['msg'].removeprefix('Value error, ')}"
        for problem in error.errors(include_url=False, include_context=False, include_input=False)
    )


def _read_file(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except (OSError, UnicodeError) as error:
        raise InvalidSetting(f"{path.name} in PORTICO_SECRETS_DIR cannot be read: {type(error).__name__}") from error


def _refuse_unknown(linked: frozenset[str]) -> None:
    known = known_names() | _NOT_OURS | linked
    unknown = sorted(
        name
        for name in os.environ
        if name.startswith(PREFIX) and name not in known and not name.startswith(_STACK_PREFIXES)
    )
    if unknown:
        raise UnknownSetting(f"no service knows the setting {', '.join(unknown)}")
