from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.management.v1 import idp_templates_pb2 as pb
from portico_users.identity_providers.api.idp_messages import provider_message
from portico_users.identity_providers.idp import Idp, OidcConfig
from portico_users.identity_providers.oauth2_config import Oauth2Config
from portico_users.identity_providers.presets.names import PresetName

SHOWN: Final[tuple[tuple[PresetName, type[OidcConfig | Oauth2Config], pb.ProviderType, str], ...]] = (
    (PresetName.OIDC, OidcConfig, pb.PROVIDER_TYPE_OIDC, "oidc"),
    (PresetName.GOOGLE, OidcConfig, pb.PROVIDER_TYPE_GOOGLE, "google"),
    (PresetName.ENTRA, OidcConfig, pb.PROVIDER_TYPE_AZURE_AD, "azure_ad"),
    (PresetName.APPLE, OidcConfig, pb.PROVIDER_TYPE_APPLE, "apple"),
    (PresetName.GITLAB, OidcConfig, pb.PROVIDER_TYPE_GITLAB, "gitlab"),
    (PresetName.GITLAB_SELF_MANAGED, OidcConfig, pb.PROVIDER_TYPE_GITLAB_SELF_HOSTED, "gitlab_self_hosted"),
    *(
        (preset, OidcConfig, pb.PROVIDER_TYPE_OIDC, "oidc")
        for preset in (PresetName.OKTA, PresetName.AUTH0, PresetName.KEYCLOAK, PresetName.SLACK, PresetName.LINKEDIN)
    ),
    *(
        (preset, Oauth2Config, pb.PROVIDER_TYPE_OAUTH, "oauth")
        for preset in (PresetName.DISCORD, PresetName.FACEBOOK, PresetName.X)
    ),
    (PresetName.OAUTH2, Oauth2Config, pb.PROVIDER_TYPE_OAUTH, "oauth"),
    (PresetName.GITHUB, Oauth2Config, pb.PROVIDER_TYPE_GITHUB, "github"),
    (PresetName.GITHUB_ENTERPRISE, Oauth2Config, pb.PROVIDER_TYPE_GITHUB_ES, "github_es"),
)


def shown(preset: PresetName, kind: type[OidcConfig | Oauth2Config]) -> tuple[pb.ProviderType, str | None]:
    if kind is OidcConfig:
        config: OidcConfig | Oauth2Config = OidcConfig(issuer="https://op.example", client_id="portico", preset=preset)
    else:
        config = Oauth2Config(client_id="portico", preset=preset)
    idp = Idp(id="1", org_id="2", name="house", config=config, sealed_secret="sealed")
    provider = provider_message(idp)
    return provider.type, provider.config.WhichOneof("config")


def test_preset_determines_the_configuration_message() -> None:
    """A provider of each preset has the type and the configuration message of that preset."""
    wrong = [preset for preset, kind, *expected in SHOWN if shown(preset, kind) != tuple(expected)]

    assert wrong == []
    assert {preset for preset, *_ in SHOWN} == set(PresetName)
