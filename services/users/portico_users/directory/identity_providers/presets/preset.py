"""What a preset file states."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec
import msgspec.yaml

from portico_users.directory.identity_providers.oauth2_config import ClaimPaths
from portico_users.directory.identity_providers.presets.names import AuthMethod, PresetName


class PresetKind(StrEnum):
    """Which protocol a preset speaks."""

    OIDC = "oidc"
    OAUTH2 = "oauth2"


class Quirk(StrEnum):
    """What is unlike the standards at a provider. The set is closed: each has code of its own, and no file adds another.

    Attributes:
        HOSTED_DOMAIN: ``hd`` of the ID token names the Workspace domain; the parameter ``hd`` only chooses the account.
        TENANT_ISSUER: several tenants have one discovery document, with an issuer that the ``tid`` of the token fills; the
            subject is ``tid`` and ``oid``; ``xms_edov`` verifies the address.
        SIGNED_SECRET: the client secret is a JWT, signed with the key of a team for each request.
        FORM_POST: the answer comes by a cross-site POST.
        TEXT_BOOLEANS: ``email_verified`` is the text "true" as well.
        UNSIGNED_NAME: the name comes once, in an unsigned parameter of the callback.
        NO_LOGIN_PROMPT: ``prompt=login`` is refused; ``select_account`` is the only word that shows a page.
        ONE_PROMPT: ``prompt`` is one word, and ``select_account`` is refused beside a ``login_hint``.
    """

    HOSTED_DOMAIN = "hosted_domain"
    TENANT_ISSUER = "tenant_issuer"
    SIGNED_SECRET = "signed_secret"
    FORM_POST = "form_post"
    TEXT_BOOLEANS = "text_booleans"
    UNSIGNED_NAME = "unsigned_name"
    NO_LOGIN_PROMPT = "no_login_prompt"
    ONE_PROMPT = "one_prompt"


class Preset(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Values for what a configuration leaves empty, and how the provider differs.

    Attributes:
        emails_below: below the userinfo endpoint, where the addresses are.
        auth_methods: what the token endpoint supports, whatever its metadata names; empty for what that names.
        always: scopes that are requested whatever the configuration names.
    """

    kind: PresetKind
    issuer: str = ""
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
    """The preset of a name, read once and validated."""
    text = files(__package__).joinpath(f"{name.value}.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=Preset)


PRESETS: Final = {name: load_preset(name) for name in PresetName}
"""All of them: a file that cannot be read fails the start, not a sign-in."""
