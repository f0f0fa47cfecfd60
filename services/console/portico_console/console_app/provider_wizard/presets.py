"""The presets of the provider pages: the fields of each, and how Portico is registered at the provider."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from portico_contracts.http import EXTERNAL_CALLBACK, JWT_AUTHORIZE

from portico_console.forms.field import PREFIX
from portico_console.messages import message


class Widget(Enum):
    TEXT = "text"
    SECRET = "secret"
    LINES = "lines"
    PEM = "pem"
    SWITCH = "switch"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class Input:
    """A field of the request, with its path: ``attributes.emailAttribute``; `folded` ones are under "More"."""

    path: str
    label: str
    widget: Widget = Widget.TEXT
    hint: str = ""
    placeholder: str = ""
    initial: str = ""
    required: bool = False
    folded: bool = False
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        return f"{PREFIX}{self.path}"


@dataclass(frozen=True, slots=True)
class Preset:
    """One kind of provider.

    Attributes:
        method: in the names of operations: ``Add…Provider``.
        config: the member of the provider's configuration.
        steps: what to do at the provider with the redirect URI, in order.
        trust: the field that trusts verified addresses; empty where they always count.
        trusts: its initial value.
    """

    word: str
    title: str
    method: str
    config: str
    inputs: tuple[Input, ...]
    about: str = ""
    vendor_url: str = ""
    steps: tuple[str, ...] = ()
    trust: str = "trustedEmail"
    trusts: bool = False

    @property
    def is_generic(self) -> bool:
        """Its title is the name of a protocol, not of a provider."""
        return self.word in ("oidc", "oauth", "jwt", "ldap")

    @property
    def by_password(self) -> bool:
        return self.word == "ldap"

    def redirect_uri(self, issuer: str, id: str) -> str:
        """The address to register at the provider; empty for LDAP."""
        if self.by_password:
            return ""
        return issuer + (JWT_AUTHORIZE if self.word == "jwt" else EXTERNAL_CALLBACK.format(id=id))


def _client(id_label: str = message("Client ID"), secret_label: str = message("Client secret")) -> tuple[Input, ...]:
    return (
        Input("clientId", id_label, required=True),
        Input("clientSecret", secret_label, Widget.SECRET, required=True),
    )


_SCOPES: Final = Input(
    "scopes", message("Scopes"), Widget.LINES, folded=True,
    hint=message("One per line. Empty: the scopes that Portico needs."),
)  # fmt: skip
_ISSUER: Final = Input("issuer", message("Issuer"), required=True, placeholder="https://login.example.com")


def _endpoints(server: str) -> tuple[Input, ...]:
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


_OAUTH_ATTRIBUTES: Final = (
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
_LDAP_ATTRIBUTES: Final = (
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

PRESETS: Final = (
    Preset(
        "google", "Google", "Google", "google",
        (
            *_client(),
            Input(
                "hostedDomains", message("Only these Workspace domains"), Widget.LINES, placeholder="example.com",
                hint=message("One per line. Empty: every Google account can sign in."),
            ),
            _SCOPES,
        ),
        about=message("Google accounts and Google Workspace"),
        vendor_url="https://console.cloud.google.com/apis/credentials",
        steps=(
            message("Create credentials of the type “OAuth client ID”, for a “Web application”."),
            message("Add the redirect URI under “Authorized redirect URIs”."),
            message("Copy the client ID and the client secret into this form."),
        ),
        trusts=True,
    ),
    Preset(
        "microsoft", "Microsoft", "AzureAD", "azureAd",
        (
            *_client(message("Application (client) ID"), message("Client secret (its value, not its ID)")),
            Input(
                "tenant.tenantId", message("Directory (tenant) ID"),
                hint=message("Empty: accounts of every organization, and personal accounts."),
            ),
            Input(
                "tenant.tenantType", message("Accounts, without a tenant ID"), Widget.CHOICE, folded=True,
                choices=(
                    ("AZURE_AD_TENANT_TYPE_COMMON", message("Every organization, and personal accounts")),
                    ("AZURE_AD_TENANT_TYPE_ORGANISATIONS", message("Every organization")),
                    ("AZURE_AD_TENANT_TYPE_CONSUMERS", message("Personal accounts only")),
                ),
            ),
            Input("allowedTenants", message("Only these tenants"), Widget.LINES, folded=True, hint=message("One tenant ID per line.")),
            _SCOPES,
        ),
        about=message("Microsoft Entra ID and personal Microsoft accounts"),
        vendor_url="https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade",
        steps=(
            message("Register an application."),
            message("As redirect URI, choose the platform “Web” and enter the redirect URI."),
            message("Under “Certificates & secrets”, create a client secret and copy its value."),
        ),
        trust="emailVerified",
    ),
    Preset(
        "apple", "Apple", "Apple", "apple",
        (
            Input("clientId", message("Services ID"), required=True, placeholder="com.example.portico"),
            Input("teamId", message("Team ID"), required=True, placeholder="ABCDE12345"),
            Input("keyId", message("Key ID"), required=True, placeholder="FGHIJ67890"),
            Input(
                "privateKey", message("Private key"), Widget.PEM, required=True,
                hint=message("The content of the .p8 file. It is stored encrypted and never shown."),
            ),
            _SCOPES,
        ),
        about=message("Sign in with Apple"),
        vendor_url="https://developer.apple.com/account/resources/identifiers/list/serviceId",
        steps=(
            message("Create a Services ID and enable “Sign in with Apple” for it."),
            message("Under “Web Authentication”, add the domain, and the redirect URI as “Return URL”."),
            message("Create a key for “Sign in with Apple” and download its .p8 file."),
        ),
        trusts=True,
    ),
    Preset(
        "github", "GitHub", "GitHub", "github", (*_client(), _SCOPES),
        about=message("Accounts of github.com"),
        vendor_url="https://github.com/settings/applications/new",
        steps=(
            message("Register an OAuth application, with the redirect URI as “Authorization callback URL”."),
            message("Generate a client secret, and copy it with the client ID into this form."),
        ),
        trusts=True,
    ),
    Preset(
        "github-server", "GitHub Enterprise Server", "GitHubEnterpriseServer", "githubEs",
        (*_endpoints("https://github.example.com"), *_client(), _SCOPES),
        about=message("A GitHub that you host"),
        steps=(
            message("On your server, open Settings, Developer settings, OAuth Apps, and register an application."),
            message("Enter the redirect URI as “Authorization callback URL”, and generate a client secret."),
        ),
    ),
    Preset(
        "gitlab", "GitLab", "GitLab", "gitlab", (*_client(message("Application ID"), message("Secret")), _SCOPES),
        about=message("Accounts of gitlab.com"),
        vendor_url="https://gitlab.com/-/user_settings/applications",
        steps=(
            message("Add a confidential application with the redirect URI."),
            message("Tick the scopes openid, profile and email."),
        ),
        trusts=True,
    ),
    Preset(
        "gitlab-server", message("GitLab, self-hosted"), "GitLabSelfHosted", "gitlabSelfHosted",
        (
            Input("issuer", message("Address of your GitLab"), required=True, placeholder="https://gitlab.example.com"),
            *_client(message("Application ID"), message("Secret")),
            _SCOPES,
        ),
        about=message("A GitLab that you host"),
        steps=(
            message("In your GitLab, open the applications of your user, a group or the admin area."),
            message("Add a confidential application with the redirect URI, and the scopes openid, profile and email."),
        ),
    ),
    Preset(
        "oidc", "OpenID Connect", "GenericOIDC", "oidc", (_ISSUER, *_client(), _SCOPES),
        about=message("Any provider with a discovery document: Okta, Auth0, Keycloak, another Portico"),
        steps=(
            message("Register a confidential web application that uses the authorization code flow."),
            message("Enter the redirect URI there, exactly as it is shown."),
        ),
    ),
    Preset(
        "oauth", "OAuth 2.0", "GenericOAuth", "oauth",
        (*_endpoints("https://login.example.com"), *_client(), *_OAUTH_ATTRIBUTES, _SCOPES),
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
            *_LDAP_ATTRIBUTES,
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
            _ISSUER,
            Input("jwtEndpoint", message("Address that users are sent to"), required=True, placeholder="https://proxy.example.com/sign-in"),
            Input("keysEndpoint", message("Address of the keys (JWK set)"), required=True, placeholder="https://proxy.example.com/keys"),
            Input("headerName", message("Header with the token"), folded=True, placeholder="authorization"),
        ),
        about=message("A proxy that signs users in and sends a signed token"),
        steps=(message("Let the proxy forward signed-in users to this address, with the token in a header."),),
        trust="",
    ),
)  # fmt: skip

BY_WORD: Final = {preset.word: preset for preset in PRESETS}


def preset_of(config: dict[str, object]) -> Preset | None:
    """The preset of a provider's configuration; None for a kind of a newer release."""
    return next((one for one in PRESETS if one.config in config), None)
