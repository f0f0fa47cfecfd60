from __future__ import annotations

from portico_contracts.colors import OWN_DARK, OWN_LIGHT
from portico_contracts.users import Branding, FontFamily, Palette

from portico_users.policies.label_rules import Label, can_be_read, dark_of, light_of
from portico_users.policies.policies import Logos, Policies, PrivacyLinks, path_of


def branding_of(policies: Policies, logo_text: str = "") -> Branding:
    label, links, logos = policies.label or Label(), policies.privacy or PrivacyLinks(), policies.logos or Logos()
    return Branding(
        tos_link=links.tos_link,
        privacy_link=links.privacy_link,
        help_link=links.help_link,
        support_email=links.support_email,
        hide_login_name_suffix=label.hide_login_name_suffix,
        hide_watermark=label.disable_watermark,
        light=_readable(light_of(label), OWN_LIGHT),
        dark=_readable(dark_of(label), OWN_DARK),
        font_family=FontFamily(label.font_family),
        logo=path_of(logos.light or logos.dark),
        logo_dark=path_of(logos.dark if logos.light else ""),
        logo_text=logo_text if logos != Logos() else "",
        texts=policies.text.texts if policies.text else (),
    )


def _readable(palette: Palette, own: Palette) -> Palette:
    """Returns Portico's colors instead of unreadable ones, which older releases allowed."""
    return palette if can_be_read(palette, own) else Palette()
