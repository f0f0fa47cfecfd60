"""All settings, as sections that services compose.

A value comes from the environment variable ``PORTICO_<NAME>`` or, mainly for secrets, from a file
``portico_<name>`` in the directory ``PORTICO_SECRETS_DIR``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, HttpUrl, SecretStr, TypeAdapter, ValidationError, field_validator

from portico_runtime.addresses import Network, read_allow_list, read_networks
from portico_runtime.service_links import service_links
from portico_runtime.setting_modules import import_sections

PREFIX: Final = "PORTICO_"
CA_FILE: Final = (
    "PEM file of the only CA certificates to trust, with key identifiers or without. Empty: those of the system."
)
_URL: Final = TypeAdapter(HttpUrl)
_NOT_OURS: Final = frozenset({"PORTICO_SECRETS_DIR"})
_STACK_PREFIXES: Final = ("PORTICO_STACK_", "PORTICO_DEMO_", "PORTICO_TEST_")
"""Names used by `make up`, its demo document and the tests."""


class Section(BaseModel):
    """A group of settings that services inherit.

    Every setting is one text, read by `load` and converted by Pydantic. pydantic-settings would take more
    memory than most services' own code (decision 0044).
    """

    model_config = ConfigDict(extra="ignore", frozen=True, validate_default=True, hide_input_in_errors=True)


class ServiceSection(Section):
    """Settings of every service."""

    issuer: str = Field(
        default="http://localhost:8080", description="The public URL (scheme, host and port), without a trailing slash."
    )
    host: str = Field(default="127.0.0.1", description="Address to listen on. `::` is every address, of IPv6 and IPv4.")
    port: int = Field(default=8000, description="Port for requests from the gateway.")
    internal_port: int = Field(default=9000, description="Port for /healthz, /readyz and /metrics.")
    log_level: str = Field(default="info", description="Log level: debug, info, warning or error.")
    drain_seconds: float = Field(default=3.0, description="Seconds that running requests get to finish after SIGTERM.")
    trusted_proxies: str = Field(
        default="127.0.0.0/8,::1/128",
        description="Networks of the proxies that connect to the service, comma-separated. Their X-Forwarded-* headers are trusted.",
    )
    gateway_proxies: str = Field(
        default="",
        description="Networks of proxies in front of the gateway, comma-separated. Must not contain clients.",
    )

    @field_validator("issuer")
    @classmethod
    def _is_an_origin(cls, value: str) -> str:
        url = _URL.validate_python(value)
        if value.endswith("/") or url.query or url.fragment or url.username:
            raise ValueError("must be scheme, host and port, without a trailing slash")
        return value

    @field_validator("trusted_proxies", "gateway_proxies")
    @classmethod
    def _are_networks(cls, value: str) -> str:
        read_networks(value)
        return value

    @property
    def proxy_networks(self) -> tuple[Network, ...]:
        return read_networks(self.trusted_proxies)

    @property
    def forwarding_networks(self) -> tuple[Network, ...]:
        return read_networks(self.gateway_proxies)

    @property
    def secure(self) -> bool:
        """Whether the issuer is https, so that cookies have Secure and the prefix __Host-."""
        return self.issuer.startswith("https://")


class GrpcSection(Section):
    """The port for plain gRPC behind the gateway."""

    grpc_port: int = Field(default=8100, description="Port for plain gRPC (HTTP/2 without TLS).")


GRPC_PORT: Final = "grpc_port"


DEGRADED_SECONDS: Final = 30.0


class BusSection(Section):
    """NATS. Each service has its own NATS user with the name of the service."""

    bus_url: str = Field(
        default="nats://127.0.0.1:4222", description="NATS servers, comma-separated. Use tls:// for TLS."
    )
    bus_ca_file: str = Field(default="", description=CA_FILE)
    bus_password: SecretStr = Field(default=SecretStr(""), description="Password of this service's NATS user.")
    bus_degraded_seconds: float = Field(
        default=DEGRADED_SECONDS,
        ge=0,
        description="Seconds of failing publishes after which /readyz reports the service as not ready.",
    )
    bus_stream_replicas: int = Field(default=1, ge=1, le=5, description="Number of NATS servers that store each event.")


class VersionedCacheSection(Section):
    """The cache of users (decision 0039)."""

    people_in_memory: int = Field(
        default=20_000, ge=100, description="Maximum number of users in the cache, at most 1.6 KiB each."
    )


class RedisSection(Section):
    """Redis: codes, sessions, grants, revocations and cache versions. Each service has its own Redis user."""

    redis_url: str = Field(
        default="redis://127.0.0.1:6379",
        description="redis://host, redis+sentinel://host,host/master or redis+cluster://host,host. Use rediss for TLS.",
    )
    redis_password: SecretStr = Field(default=SecretStr(""), description="Password of this service's Redis user.")
    redis_sentinel_user: str = Field(default="", description="User name for Sentinel, if it requires one.")
    redis_sentinel_password: SecretStr = Field(default=SecretStr(""), description="Password for Sentinel.")
    redis_timeout: float = Field(default=1.5, description="Timeout of a command in seconds.")
    redis_wait_replicas: int = Field(default=0, description="Number of replicas that must acknowledge a write.")


class MongoSection(Section):
    """MongoDB, the system of record. Each service has its own database and database user."""

    mongo_url: str = Field(
        default="mongodb://127.0.0.1:27017", description="mongodb:// or mongodb+srv://, without credentials."
    )
    mongo_password: SecretStr = Field(default=SecretStr(""), description="Password of this service's database user.")
    mongo_timeout: float = Field(default=2.0, description="Timeout of an operation in seconds.")


class SealingSection(Section):
    """Encryption of secrets at rest."""

    master_keys: SecretStr = Field(
        default=SecretStr(""), description="Base64 keys of 32 bytes, comma-separated. The first encrypts; all decrypt."
    )


class LoginApiSection(Section):
    """Authentication of the login pages at the login API of authz."""

    login_api_key: SecretStr = Field(default=SecretStr(""), description="Shared secret, at least 32 characters.")


class LoginPagesSection(Section):
    """How the login pages reach authz."""

    authz_url: str = Field(default="http://127.0.0.1:8001", description="Internal address of authz.")


class ConsoleUrlSection(Section):
    """Where the console is, for its own pages and for the link of the start page."""

    console_url: str = Field(
        default="", description="Public URL of the console (scheme, host and port). Empty: the issuer's."
    )


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


class SessionSection(Section):
    """Lifetimes of codes, sign-ins and sessions, in seconds."""

    code_seconds: int = Field(default=60, le=60, description="Lifetime of authorization codes.")
    auth_request_seconds: int = Field(default=1800, description="Time limit for a sign-in.")
    session_idle_seconds: int = Field(default=86_400, description="Idle timeout of sessions.")
    second_factor_seconds: int = Field(
        default=64_800, description="Time after which a second factor is required again."
    )


class LogoutSection(Section):
    """Logout."""

    logout_confirm: Literal["always", "never"] = Field(
        default="always",
        description="Whether to ask for confirmation of a logout without a valid id_token_hint: always or never.",
    )


class OutboundSection(Section):
    """Requests to URLs from the configuration of clients and identity providers, such as back-channel logout and key sets."""

    outbound_allow: str = Field(
        default="",
        description="host:port, comma-separated, that may have private addresses or use http. All others must be public and use https.",
    )
    outbound_ca_file: str = Field(default="", description=CA_FILE)

    @field_validator("outbound_allow")
    @classmethod
    def _is_a_list(cls, value: str) -> str:
        read_allow_list(value)
        return value


class TokenLifetimeSection(Section):
    """Maximum token lifetimes, in seconds. The instance can set shorter ones.

    The same for all that read them: keys keeps a retired key as long as tokens can live.
    """

    access_token_seconds: int = Field(default=3_600, description="Maximum lifetime of access tokens.")
    id_token_seconds: int = Field(default=3_600, description="Maximum lifetime of id_tokens.")
    refresh_idle_seconds: int = Field(default=2_592_000, description="Idle timeout of refresh tokens.")
    refresh_seconds: int = Field(
        default=7_776_000, description="Maximum lifetime of a refresh token and its successors."
    )


class SignInLogSection(Section):
    """Sign-ins and refusals in the event log."""

    sign_in_log_days: int = Field(
        default=90,
        ge=1,
        le=3_650,
        description="Days for which the event log keeps sign-ins, sign-outs, failed sign-ins and refused requests.",
    )


class SigningSection(Section):
    """Signing keys and their rotation."""

    signing_algorithms: str = Field(
        default="RS256,ES256,EdDSA", description="Signing algorithms, comma-separated. Each has its own key."
    )
    signing_rsa_bits: int = Field(default=2048, ge=2048, le=4096, description="Size of RSA keys in bits.")
    signing_wait_seconds: int = Field(
        default=3_600, ge=0, description="Seconds between publishing a key and signing with it."
    )
    signing_now_wait_seconds: float = Field(
        default=10.0,
        ge=0,
        description="Seconds between publishing a key and signing with it, after `portico keys rotate --now` or a revocation.",
    )
    signing_seconds: int = Field(default=2_592_000, ge=60, description="Seconds after which the next key takes over.")
    keys_requests_per_minute: int = Field(
        default=3_000, ge=1, description="Maximum requests per minute for the key set, per client address and replica."
    )


class HashingSection(Section):
    """Password hashing: argon2id hashes in one queue, imported hashes in another with half of the workers."""

    argon2_memory_kib: int = Field(default=19_456, description="Memory of an argon2id hash in KiB.")
    argon2_passes: int = Field(default=2, description="Number of argon2id passes.")
    hashing_workers: int = Field(default=2, description="Number of hashes computed in parallel, at most one per core.")
    hashing_queue: int = Field(
        default=200, description="Maximum number of waiting hashes per queue. More are rejected with 503."
    )


SettingsOf = TypeVar("SettingsOf", bound=Section)


class InvalidSetting(ValueError):
    pass


class UnknownSetting(InvalidSetting):
    """A PORTICO_* name that no service knows, most likely a typo."""


def load(kind: type[SettingsOf]) -> SettingsOf:
    """Raises InvalidSetting for an unknown ``PORTICO_*`` variable and an unusable secrets directory."""
    _refuse_unknown(linked := service_links(os.environ))
    directory = os.environ.get("PORTICO_SECRETS_DIR")
    if directory and not Path(directory).is_dir():
        raise InvalidSetting("PORTICO_SECRETS_DIR is not a directory")
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
    import_sections()
    return frozenset(f"{PREFIX}{name.upper()}" for section in Section.__subclasses__() for name in section.model_fields)


def unknown_names(names: Iterable[str]) -> list[str]:
    """Returns the ``PORTICO_*`` names that no service and no command of this release knows, sorted."""
    known = known_names() | _NOT_OURS
    return sorted(
        name for name in names if name.startswith(PREFIX) and name not in known and not name.startswith(_STACK_PREFIXES)
    )


def effective(settings: Section) -> dict[str, str]:
    """The effective values by environment name, with secrets masked: the output of ``check-settings``."""
    return {f"{PREFIX}{name.upper()}": str(value) for name, value in sorted(settings.model_dump().items())}


def explain(error: ValidationError) -> str:
    """Formats invalid settings by environment name; never the values, which may be secrets."""
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
    if unknown := unknown_names(set(os.environ) - linked):
        raise UnknownSetting(f"unknown setting {', '.join(unknown)}")
