from __future__ import annotations

import re
from typing import Final

from portico_oauth.errors import ErrorCode, Kind

from portico_users.identity_providers.idp import OidcConfig
from portico_users.identity_providers.oauth2_config import Oauth2Config
from portico_users.identity_providers.presets.names import AuthMethod, PresetName
from portico_users.identity_providers.presets.preset import PRESETS, PresetKind, Quirk
from portico_users.values.names import MAX_LENGTH, is_name
from portico_users.values.problems import Problem, Problems

WRONG_PRESET = ErrorCode(
    "USER-624",
    Kind.INVALID_REQUEST,
    "This preset belongs to another type of identity provider.",
    "Use oidc, google, entra, apple, gitlab, gitlab-self-managed, okta, auth0, keycloak, slack or linkedin with "
    "OpenID Connect; otherwise oauth2, github, github-enterprise, discord, facebook or x.",
)
WRONG_AUTH_METHOD = ErrorCode(
    "USER-625",
    Kind.INVALID_REQUEST,
    "The provider does not support this client authentication method.",
    "Omit authMethod, or use one that the preset supports.",
)
NOT_OF_PRESET = ErrorCode(
    "USER-626",
    Kind.INVALID_REQUEST,
    "This setting does not apply to the preset.",
    "hostedDomains is for google, tenants for entra, teamId for apple, and keyId for apple or private_key_jwt.",
)
INVALID_PRESET_VALUE = ErrorCode(
    "USER-627",
    Kind.INVALID_REQUEST,
    "This value is missing or malformed.",
    "Use lower-case host names for domains, lower-case UUIDs for tenants, 10 characters for "
    "Apple team and key ids, and names joined by dots for members.",
)

MAX_VALUES: Final = 50
TENANT: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_DOMAIN: Final = re.compile(r"(?=.{1,200}\Z)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+\Z")
_APPLE_ID: Final = re.compile(r"[A-Z0-9]{10}\Z")
_PATH: Final = re.compile(r"[^\s.\x00-\x1f\x7f]+(\.[^\s.\x00-\x1f\x7f]+){0,9}\Z")


def is_claim_path(path: str) -> bool:
    return len(path) <= MAX_LENGTH and bool(_PATH.match(path))


def problems_of_preset(config: OidcConfig) -> Problems:
    preset = PRESETS[config.preset]
    if preset.kind is not PresetKind.OIDC:
        yield Problem("preset", WRONG_PRESET)
        return
    yield from _auth_method(config.auth_method, config.preset)
    yield from _values("hostedDomains", config.hosted_domains, Quirk.HOSTED_DOMAIN in preset.quirks, _DOMAIN)
    yield from _values("tenants", config.tenants, Quirk.TENANT_ISSUER in preset.quirks, TENANT)
    is_signed = Quirk.SIGNED_SECRET in preset.quirks
    yield from _apple_id("teamId", config.team_id, required=is_signed, allowed=is_signed)
    if config.auth_method is not AuthMethod.PRIVATE_KEY_JWT:
        yield from _apple_id("keyId", config.key_id, required=is_signed, allowed=is_signed)
    elif config.key_id and not is_name(config.key_id):
        yield Problem("keyId", INVALID_PRESET_VALUE)


def problems_of_oauth2(config: Oauth2Config) -> Problems:
    preset = PRESETS[config.preset]
    if preset.kind is not PresetKind.OAUTH2:
        yield Problem("preset", WRONG_PRESET)
        return
    yield from _auth_method(config.auth_method, config.preset)
    for name in config.claims.__struct_fields__:
        path = getattr(config.claims, name)
        if (path or name == "subject") and not is_claim_path(path):
            yield Problem(f"claims.{_camel(name)}", INVALID_PRESET_VALUE)


def _auth_method(method: AuthMethod, name: PresetName) -> Problems:
    preset = PRESETS[name]
    # Only OIDC providers have an issuer to use as audience of an assertion.
    if (preset.kind is PresetKind.OAUTH2 and method is AuthMethod.PRIVATE_KEY_JWT) or (
        method is not AuthMethod.AUTO and preset.auth_methods and method not in preset.auth_methods
    ):
        yield Problem("authMethod", WRONG_AUTH_METHOD)


def _values(path: str, values: tuple[str, ...], allowed: bool, form: re.Pattern[str]) -> Problems:
    if values and not allowed:
        yield Problem(path, NOT_OF_PRESET)
        return
    if len(values) > MAX_VALUES:
        yield Problem(path, INVALID_PRESET_VALUE)
    for number, value in enumerate(values):
        if not form.match(value):
            yield Problem(f"{path}[{number}]", INVALID_PRESET_VALUE)


def _apple_id(path: str, value: str, *, required: bool, allowed: bool) -> Problems:
    if value and not allowed:
        yield Problem(path, NOT_OF_PRESET)
    elif required and not _APPLE_ID.match(value):
        yield Problem(path, INVALID_PRESET_VALUE)


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.title() for word in others)
