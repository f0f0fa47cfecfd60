from __future__ import annotations

from enum import StrEnum


class PresetName(StrEnum):
    OIDC = "oidc"
    GOOGLE = "google"
    ENTRA = "entra"
    APPLE = "apple"
    GITLAB = "gitlab"
    GITLAB_SELF_MANAGED = "gitlab-self-managed"
    OKTA = "okta"
    AUTH0 = "auth0"
    KEYCLOAK = "keycloak"
    SLACK = "slack"
    LINKEDIN = "linkedin"
    OAUTH2 = "oauth2"
    GITHUB = "github"
    GITHUB_ENTERPRISE = "github-enterprise"
    DISCORD = "discord"
    FACEBOOK = "facebook"
    X = "x"


class AuthMethod(StrEnum):
    """Client authentication (OIDC Core section 9); AUTO: the metadata's method, or a public client without secret."""

    AUTO = "auto"
    CLIENT_SECRET_BASIC = "client_secret_basic"
    CLIENT_SECRET_POST = "client_secret_post"
    PRIVATE_KEY_JWT = "private_key_jwt"
    NONE = "none"
