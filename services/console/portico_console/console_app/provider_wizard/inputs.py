"""Inputs that several presets have."""

from __future__ import annotations

from typing import Final

from portico_console.console_app.provider_wizard.preset import Input, Widget
from portico_console.messages import message


def client(id_label: str = message("Client ID"), secret_label: str = message("Client secret")) -> tuple[Input, ...]:
    return (
        Input("clientId", id_label, required=True),
        Input("clientSecret", secret_label, Widget.SECRET, required=True),
    )


SCOPES: Final = Input(
    "scopes", message("Scopes"), Widget.LINES, folded=True,
    hint=message("One per line. Empty: the scopes that Portico needs."),
)  # fmt: skip
COPY: Final = message("Copy the client ID and the client secret into this form.")
"""The last step at most providers."""

ISSUER: Final = Input("issuer", message("Issuer"), required=True, placeholder="https://login.example.com")


def endpoints(server: str) -> tuple[Input, ...]:
    authorize, token, user = (
        ("/login/oauth/authorize", "/login/oauth/access_token", "/api/v3/user")
        if "github" in server
        else ("/oauth/authorize", "/oauth/token", "/oauth/userinfo")
    )
    return (
        Input(
            "authorizationEndpoint", message("Authorization endpoint"), required=True, placeholder=server + authorize
        ),
        Input("tokenEndpoint", message("Token endpoint"), required=True, placeholder=server + token),
        Input("userEndpoint", message("Userinfo endpoint"), required=True, placeholder=server + user),
    )


def _attribute(name: str, label: str, *, initial: str = "", folded: bool = True) -> Input:
    return Input(name, label, initial=initial, folded=folded)


OAUTH_ATTRIBUTES: Final = (
    Input(
        "idAttribute", message("Member with the user's permanent id"), required=True, initial="id",
        hint=message("Name of a member of the userinfo response. It must never change for a user."),
    ),
    _attribute("userNameAttribute", message("Member with the user name"), folded=False),
    _attribute("emailAttribute", message("Member with the email address"), initial="email", folded=False),
    _attribute("emailVerifiedAttribute", message("Member that states whether the address is verified")),
    _attribute("firstNameAttribute", message("Member with the first name")),
    _attribute("lastNameAttribute", message("Member with the last name")),
    _attribute("displayNameAttribute", message("Member with the display name"), initial="name"),
)  # fmt: skip
LDAP_ATTRIBUTES: Final = (
    Input(
        "attributes.idAttribute",
        message("Attribute with the permanent id"),
        folded=True,
        hint=message("Empty: entryUUID. objectGUID in Active Directory and Samba, nsUniqueId in 389 Directory Server."),
    ),
    _attribute("attributes.preferredUsernameAttribute", message("Attribute with the user name"), initial="uid"),
    _attribute("attributes.firstNameAttribute", message("Attribute with the first name"), initial="givenName"),
    _attribute("attributes.lastNameAttribute", message("Attribute with the last name"), initial="sn"),
    _attribute("attributes.displayNameAttribute", message("Attribute with the display name"), initial="displayName"),
    _attribute("attributes.emailAttribute", message("Attribute with the email address"), initial="mail"),
    _attribute("attributes.emailVerifiedAttribute", message("Attribute that marks the address as verified")),
    _attribute("attributes.preferredLanguageAttribute", message("Attribute with the language")),
)
