"""The presets of vendors: how Portico is registered there, and the fields of their forms."""

from __future__ import annotations

from typing import Final

from portico_console.console_app.provider_wizard.inputs import COPY, SCOPES, client, endpoints
from portico_console.console_app.provider_wizard.preset import Input, Preset, Widget
from portico_console.messages import message

VENDORS: Final = (
    Preset(
        "google", "Google", "Google", "google",
        (
            *client(),
            Input(
                "hostedDomains", message("Only these Workspace domains"), Widget.LINES, placeholder="example.com",
                hint=message("One per line. Empty: every Google account can sign in."),
            ),
            SCOPES,
        ),
        about=message("Google accounts and Google Workspace"),
        vendor_url="https://console.cloud.google.com/apis/credentials",
        steps=(
            message("Create credentials of the type “OAuth client ID”, for a “Web application”."),
            message("Add the redirect URI under “Authorized redirect URIs”."),
            COPY,
        ),
        trusts=True,
    ),
    Preset(
        "microsoft", "Microsoft", "AzureAD", "azureAd",
        (
            *client(message("Application (client) ID"), message("Client secret (its value, not its ID)")),
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
            SCOPES,
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
            SCOPES,
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
        "github", "GitHub", "GitHub", "github", (*client(), SCOPES),
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
        (*endpoints("https://github.example.com"), *client(), SCOPES),
        about=message("A GitHub that you host"),
        steps=(
            message("On your server, open Settings, Developer settings, OAuth Apps, and register an application."),
            message("Enter the redirect URI as “Authorization callback URL”, and generate a client secret."),
        ),
    ),
    Preset(
        "gitlab", "GitLab", "GitLab", "gitlab", (*client(message("Application ID"), message("Secret")), SCOPES),
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
            *client(message("Application ID"), message("Secret")),
            SCOPES,
        ),
        about=message("A GitLab that you host"),
        steps=(
            message("In your GitLab, open the applications of your user, a group or the admin area."),
            message("Add a confidential application with the redirect URI, and the scopes openid, profile and email."),
        ),
    ),
)  # fmt: skip
