"""What the label policy and the privacy policy in force come to on pages and in emails."""

from __future__ import annotations

from portico_contracts.users import Branding

from portico_users.directory.policies.policies import Label, Policies, PrivacyLinks


def branding_of(policies: Policies) -> Branding:
    """The branding of policies in force."""
    label, links = policies.label or Label(), policies.privacy or PrivacyLinks()
    return Branding(
        tos_link=links.tos_link,
        privacy_link=links.privacy_link,
        help_link=links.help_link,
        support_email=links.support_email,
        hide_login_name_suffix=label.hide_login_name_suffix,
        hide_watermark=label.disable_watermark,
    )
