from __future__ import annotations

from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec
import msgspec.toml

from portico_users.identity_providers.oauth2_config import ClaimPaths
from portico_users.identity_providers.presets.names import AuthMethod, PresetName


class PresetKind(StrEnum):
    OIDC = "oidc"
    OAUTH2 = "oauth2"


class Quirk(StrEnum):
    """Deviations of providers from the standards. The set is closed: each is handled in code.

    Attributes:
        HOSTED_DOMAIN: ``hd`` in the ID token is the Workspace domain; the request parameter ``hd`` only preselects.
        TENANT_ISSUER: tenants share a discovery document whose issuer contains the token's ``tid``; the subject is
            ``tid`` and ``oid``; ``xms_edov`` verifies the address.
        SIGNED_SECRET: the client secret is a JWT, signed for each request with a team's key.
        FORM_POST: the response is a cross-site POST.
        TEXT_BOOLEANS: ``email_verified`` may be the string "true".
        UNSIGNED_NAME: the name is sent once, in an unsigned callback parameter.
        NO_LOGIN_PROMPT: ``prompt=login`` is refused; only ``select_account`` shows a page.
        ONE_PROMPT: ``prompt`` takes one value, and ``select_account`` cannot be combined with ``login_hint``.
        NO_PROMPT: an unknown ``prompt`` is refused, so none is sent.
        NO_NONCE: ID tokens have no ``nonce``; one that is there must match.
        NO_PKCE: a ``code_verifier`` together with a client secret is refused.
        CONFIRMED_EMAIL: the member of the address has only addresses that the provider has confirmed.
    """

    HOSTED_DOMAIN = "hosted_domain"
    TENANT_ISSUER = "tenant_issuer"
    SIGNED_SECRET = "signed_secret"
    FORM_POST = "form_post"
    TEXT_BOOLEANS = "text_booleans"
    UNSIGNED_NAME = "unsigned_name"
    NO_LOGIN_PROMPT = "no_login_prompt"
    ONE_PROMPT = "one_prompt"
    NO_PROMPT = "no_prompt"
    NO_NONCE = "no_nonce"
    NO_PKCE = "no_pkce"
    CONFIRMED_EMAIL = "confirmed_email"


class Preset(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Default values and quirks of a provider.

    Attributes:
        issuer_slash: whether its issuers end with a slash; None if both occur.
        emails_below: relative to the userinfo endpoint.
    """

    kind: PresetKind
    issuer: str = ""
    issuer_slash: bool | None = None
    authorization_endpoint: str = ""
    token_endpoint: str = ""
    userinfo_endpoint: str = ""
    emails_below: str = ""
    scopes: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    auth_methods: tuple[AuthMethod, ...] = ()
    claims: ClaimPaths = ClaimPaths()
    quirks: tuple[Quirk, ...] = ()


@cache
def load_preset(name: PresetName) -> Preset:
    text = files(__package__).joinpath(f"{name.value}.toml").read_bytes()
    return msgspec.toml.decode(text, type=Preset)


PRESETS: Final = {name: load_preset(name) for name in PresetName}
"""Loaded at import, so that an invalid file fails the start instead of a sign-in."""
