"""The forms of the presets: which configuration each makes of its messages, and what is shown of it.

Every form is over the same record (`Idp`); what is special about a provider is in the file of its preset.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from portico_users.api.management_v1.idps.entra_tenants import issuer_of
from portico_users.commands.identity_providers.idps import OTHER_KIND
from portico_users.directory.identity_providers.idp import AnyConfig, Idp, OidcConfig
from portico_users.directory.identity_providers.oauth2_config import ClaimPaths, Oauth2Config
from portico_users.directory.identity_providers.presets.completed import completed
from portico_users.directory.identity_providers.presets.names import PresetName

Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PresetForm:
    """One preset as messages.

    Args:
        word: in the names of its methods and messages, ``Google`` in ``AddGoogleProvider``.
        kind: of its configuration.
        values: the members of a configuration that only this message has.
        secret: what is sealed.
        trust: the field that states whether it is an authority for addresses.
    """

    word: str
    preset: PresetName
    kind: type[OidcConfig] | type[Oauth2Config]
    values: Callable[[Any], Values]
    secret: Callable[[Any], str] = lambda request: str(request.client_secret)
    trust: str = "trusted_email"

    def added(self, request: Any) -> AnyConfig:
        """The configuration of a new one; what the message has not is the preset's."""
        needed: Values = {"issuer": ""} if self.kind is OidcConfig else {}
        values = needed | _common(request) | self.values(request)
        return self.kind(**values, preset=self.preset, trusted_email=bool(getattr(request, self.trust)))

    def changed(self, before: Idp, request: Any) -> Any:
        """The configuration as an update leaves it, with what the message does not have as it was.

        Raises:
            ServiceError: USER-607 for a provider of another preset.
        """
        config = before.config
        if not isinstance(config, self.kind) or config.preset is not self.preset:
            raise OTHER_KIND.error()
        values = _common(request) | self.values(request)
        wanted: Any = completed(msgspec.structs.replace(config, **values))
        wanted = wanted.trusted_like(config)
        field = request.DESCRIPTOR.fields_by_name[self.trust]
        if field.has_presence and not request.HasField(self.trust):
            return wanted
        return msgspec.structs.replace(wanted, trusted_email=getattr(request, self.trust))


def _common(request: Any) -> Values:
    return {"client_id": request.client_id, "scopes": tuple(request.scopes)}


def _nothing(_request: Any) -> Values:
    return {}


def _endpoints(request: Any) -> Values:
    return {
        "authorization_endpoint": request.authorization_endpoint,
        "token_endpoint": request.token_endpoint,
        "userinfo_endpoint": request.user_endpoint,
    }


def _github_enterprise(request: Any) -> Values:
    # The addresses are below the endpoint of the user: the preset fills it in anew.
    return _endpoints(request) | {"emails_endpoint": ""}


def _oauth(request: Any) -> Values:
    claims = ClaimPaths(
        subject=request.id_attribute,
        email=request.email_attribute,
        email_verified=request.email_verified_attribute,
        user_name=request.user_name_attribute,
        first_name=request.first_name_attribute,
        last_name=request.last_name_attribute,
        display_name=request.display_name_attribute,
    )
    return _endpoints(request) | {"claims": claims}


def _google(request: Any) -> Values:
    return {"hosted_domains": tuple(request.hosted_domains)}


def _azure(request: Any) -> Values:
    return {"issuer": issuer_of(request.tenant), "tenants": tuple(request.allowed_tenants)}


def _apple(request: Any) -> Values:
    return {"team_id": request.team_id, "key_id": request.key_id}


def _apple_secret(request: Any) -> str:
    # What is no text is no PEM either, and is refused as such.
    return bytes(request.private_key).decode("ascii", errors="replace")


GOOGLE: Final = PresetForm("Google", PresetName.GOOGLE, OidcConfig, _google)
AZURE_AD: Final = PresetForm("AzureAD", PresetName.ENTRA, OidcConfig, _azure, trust="email_verified")

PRESET_FORMS: Final = (
    PresetForm("GenericOAuth", PresetName.OAUTH2, Oauth2Config, _oauth),
    GOOGLE,
    AZURE_AD,
    PresetForm("GitHub", PresetName.GITHUB, Oauth2Config, _nothing),
    PresetForm("GitHubEnterpriseServer", PresetName.GITHUB_ENTERPRISE, Oauth2Config, _github_enterprise),
    PresetForm("GitLab", PresetName.GITLAB, OidcConfig, _nothing),
    PresetForm(
        "GitLabSelfHosted", PresetName.GITLAB_SELF_MANAGED, OidcConfig, lambda request: {"issuer": request.issuer}
    ),
    PresetForm("Apple", PresetName.APPLE, OidcConfig, _apple, secret=_apple_secret),
)
