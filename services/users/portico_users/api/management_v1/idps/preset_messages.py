"""Configurations of presets as messages; never a secret (MG-18)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from portico_contracts.generated.portico.management.v1 import idp_preset_configs_pb2 as configs
from portico_contracts.generated.portico.management.v1 import idp_templates_pb2 as pb

from portico_users.api.management_v1.idps.entra_tenants import tenant_of
from portico_users.directory.identity_providers.idp import OidcConfig
from portico_users.directory.identity_providers.oauth2_config import Oauth2Config
from portico_users.directory.identity_providers.presets.names import PresetName

Shown = tuple[pb.ProviderType, pb.ProviderConfig]


def shown_preset(config: OidcConfig | Oauth2Config, *, has_secret: bool) -> Shown:
    """The type of a provider and its configuration: the generic ones of its protocol where its preset has none."""
    if own := _SHOWN.get(config.preset):
        return own(config)
    return _oidc(config, has_secret=has_secret) if isinstance(config, OidcConfig) else _oauth(config)


def _client(config: OidcConfig | Oauth2Config) -> dict[str, Any]:
    return {"client_id": config.client_id, "scopes": config.scopes, "trusted_email": config.trusted_email}


def _oidc(config: OidcConfig, *, has_secret: bool) -> Shown:
    message = pb.GenericOIDCConfig(**_client(config), issuer=config.issuer, has_client_secret=has_secret)
    return pb.PROVIDER_TYPE_OIDC, pb.ProviderConfig(oidc=message)


def _oauth(config: Oauth2Config) -> Shown:
    claims = config.claims
    message = configs.OAuthConfig(
        **_client(config),
        **_endpoints(config),
        id_attribute=claims.subject,
        email_attribute=claims.email,
        email_verified_attribute=claims.email_verified,
        user_name_attribute=claims.user_name,
        first_name_attribute=claims.first_name,
        last_name_attribute=claims.last_name,
        display_name_attribute=claims.display_name,
    )
    return pb.PROVIDER_TYPE_OAUTH, pb.ProviderConfig(oauth=message)


def _endpoints(config: Oauth2Config) -> dict[str, Any]:
    return {
        "authorization_endpoint": config.authorization_endpoint,
        "token_endpoint": config.token_endpoint,
        "user_endpoint": config.userinfo_endpoint,
    }


def _google(config: Any) -> Shown:
    message = configs.GoogleConfig(**_client(config), hosted_domains=config.hosted_domains)
    return pb.PROVIDER_TYPE_GOOGLE, pb.ProviderConfig(google=message)


def _azure(config: Any) -> Shown:
    message = configs.AzureADConfig(
        client_id=config.client_id,
        tenant=tenant_of(config.issuer),
        email_verified=config.trusted_email,
        scopes=config.scopes,
        allowed_tenants=config.tenants,
    )
    return pb.PROVIDER_TYPE_AZURE_AD, pb.ProviderConfig(azure_ad=message)


def _github(config: Any) -> Shown:
    return pb.PROVIDER_TYPE_GITHUB, pb.ProviderConfig(github=configs.GitHubConfig(**_client(config)))


def _github_es(config: Any) -> Shown:
    message = configs.GitHubEnterpriseServerConfig(**_client(config), **_endpoints(config))
    return pb.PROVIDER_TYPE_GITHUB_ES, pb.ProviderConfig(github_es=message)


def _gitlab(config: Any) -> Shown:
    return pb.PROVIDER_TYPE_GITLAB, pb.ProviderConfig(gitlab=configs.GitLabConfig(**_client(config)))


def _gitlab_self_hosted(config: Any) -> Shown:
    message = configs.GitLabSelfHostedConfig(**_client(config), issuer=config.issuer)
    return pb.PROVIDER_TYPE_GITLAB_SELF_HOSTED, pb.ProviderConfig(gitlab_self_hosted=message)


def _apple(config: Any) -> Shown:
    message = configs.AppleConfig(**_client(config), team_id=config.team_id, key_id=config.key_id)
    return pb.PROVIDER_TYPE_APPLE, pb.ProviderConfig(apple=message)


_SHOWN: Final[dict[PresetName, Callable[[Any], Shown]]] = {
    PresetName.GOOGLE: _google,
    PresetName.ENTRA: _azure,
    PresetName.GITHUB: _github,
    PresetName.GITHUB_ENTERPRISE: _github_es,
    PresetName.GITLAB: _gitlab,
    PresetName.GITLAB_SELF_MANAGED: _gitlab_self_hosted,
    PresetName.APPLE: _apple,
}
