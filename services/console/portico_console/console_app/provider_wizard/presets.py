"""All presets of the provider pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from portico_console.console_app.provider_wizard.inputs import (
    ISSUER,
    LDAP_ATTRIBUTES,
    OAUTH_ATTRIBUTES,
    SCOPES,
    client,
    endpoints,
)
from portico_console.console_app.provider_wizard.preset import Input, Preset, Widget
from portico_console.console_app.provider_wizard.social import SOCIAL
from portico_console.console_app.provider_wizard.vendors import VENDORS
from portico_console.messages import message

_PROTOCOLS: Final = (
    Preset(
        "oidc", "OpenID Connect", "GenericOIDC", "oidc", (ISSUER, *client(), SCOPES),
        about=message("Any provider with a discovery document, such as another Portico"),
        steps=(
            message("Register a confidential web application that uses the authorization code flow."),
            message("Enter the redirect URI there, exactly as it is shown."),
        ),
    ),
    Preset(
        "oauth", "OAuth 2.0", "GenericOAuth", "oauth",
        (*endpoints("https://login.example.com"), *client(), *OAUTH_ATTRIBUTES, SCOPES),
        about=message("A provider without OpenID Connect, with a userinfo endpoint"),
        steps=(
            message("Register an application that uses the authorization code grant."),
            message("Enter the redirect URI there, exactly as it is shown."),
        ),
    ),
    Preset(
        "ldap", "LDAP", "LDAP", "ldap",
        (
            Input(
                "servers", message("Servers"), Widget.LINES, required=True, placeholder="ldaps://ldap.example.com",
                hint=message("One per line, tried in this order."),
            ),
            Input("startTls", message("Use StartTLS"), Widget.SWITCH, hint=message("For ldap:// addresses.")),
            Input("baseDn", message("Base DN"), required=True, placeholder="ou=people,dc=example,dc=com"),
            Input("bindDn", message("DN of the search account"), required=True, placeholder="cn=portico,dc=example,dc=com"),
            Input("bindPassword", message("Password of the search account"), Widget.SECRET, required=True),
            Input(
                "userFilters", message("Attributes that people sign in with"), Widget.LINES, initial="uid\nmail", required=True,
                hint=message("One per line, such as uid or mail."),
            ),
            Input("userObjectClasses", message("Object classes of people"), Widget.LINES, folded=True, initial="inetOrgPerson"),
            *LDAP_ATTRIBUTES,
            Input(
                "rootCa", message("CA certificates"), Widget.PEM, folded=True,
                hint=message("Empty: the certificates of the system."),
            ),
        ),
        about=message("A directory: Active Directory, OpenLDAP"),
        trust="",
    ),
    Preset(
        "jwt", message("JSON Web Token"), "GenericJWT", "jwt",
        (
            ISSUER,
            Input("jwtEndpoint", message("Address that users are sent to"), required=True, placeholder="https://proxy.example.com/sign-in"),
            Input("keysEndpoint", message("Address of the keys (JWK set)"), required=True, placeholder="https://proxy.example.com/keys"),
            Input("headerName", message("Header with the token"), folded=True, placeholder="authorization"),
        ),
        about=message("A proxy that signs users in and sends a signed token"),
        steps=(message("Let the proxy forward signed-in users to this address, with the token in a header."),),
        trust="",
    ),
)  # fmt: skip

PRESETS: Final = (*VENDORS, *SOCIAL, *_PROTOCOLS)
BY_WORD: Final = {preset.word: preset for preset in PRESETS}


def preset_of(config: dict[str, object]) -> Preset | None:
    """The preset of a provider's configuration; None for a kind of a newer release."""
    fitting = [one for one in PRESETS if one.config in config]
    named = [one for one in fitting if one.named and one.named == _name_in(config[one.config])]
    return next(iter((*named, *(one for one in fitting if not one.named))), None)


def _name_in(member: object) -> object:
    return member.get("preset") if isinstance(member, Mapping) else None
