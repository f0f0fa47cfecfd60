"""The presets, and how Portico authenticates at a token endpoint."""

from __future__ import annotations

from enum import StrEnum


class PresetName(StrEnum):
    """What an identity provider is configured as; each has a YAML file of its name."""

    OIDC = "oidc"
    GOOGLE = "google"
    ENTRA = "entra"
    APPLE = "apple"
    GITLAB = "gitlab"
    GITLAB_SELF_MANAGED = "gitlab-self-managed"
    OAUTH2 = "oauth2"
    GITHUB = "github"
    GITHUB_ENTERPRISE = "github-enterprise"


class AuthMethod(StrEnum):
    """How Portico authenticates at the token endpoint (OIDC Core §9).

    Attributes:
        AUTO: with the secret, the way the provider's metadata names; without one as a public client.
    """

    AUTO = "auto"
    CLIENT_SECRET_BASIC = "client_secret_basic"
    CLIENT_SECRET_POST = "client_secret_post"
    PRIVATE_KEY_JWT = "private_key_jwt"
    NONE = "none"
