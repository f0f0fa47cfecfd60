"""The logos of label policies: which theme a request names, and where the logos in force are."""

from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.management.v1 import policy_pb2 as pb

from portico_users.directory.policies.logos import Logos, Theme, path_of
from portico_users.directory.policies.policies import Policies

_THEMES: Final = {
    pb.LOGO_THEME_UNSPECIFIED: Theme.LIGHT,
    pb.LOGO_THEME_LIGHT: Theme.LIGHT,
    pb.LOGO_THEME_DARK: Theme.DARK,
}


def theme_of(request: pb.SetLabelPolicyLogoRequest | pb.RemoveLabelPolicyLogoRequest) -> Theme:
    """The theme a request names; without a word the light one."""
    return _THEMES[request.theme]


def logo_urls(in_force: Policies) -> dict[str, str]:
    """The members of the label policy with the paths of the logos in force."""
    logos = in_force.logos or Logos()
    return {"logo_url": path_of(logos.light), "logo_url_dark": path_of(logos.dark)}
