"""The presets that are added by the operations of their protocol: of companies' providers, and of social networks."""

from __future__ import annotations

from typing import Final

from portico_console.console_app.provider_wizard.inputs import COPY, SCOPES, client
from portico_console.console_app.provider_wizard.preset import Input, Preset
from portico_console.messages import message

SOCIAL: Final = (
    Preset(
        "okta", "Okta", "GenericOIDC", "oidc",
        (
            Input(
                "issuer", message("Okta domain"), required=True, placeholder="dev-123456.okta.com",
                hint=message("The domain that people sign in at, without -admin. For a custom authorization server, its issuer."),
            ),
            *client(),
            SCOPES,
        ),
        about=message("Accounts of your Okta organization"),
        steps=(
            message("In the Okta admin console, open Applications, and create an app integration: “OIDC - OpenID Connect”, “Web Application”."),
            message("Add the redirect URI under “Sign-in redirect URIs”, and assign the people or groups that may sign in."),
            COPY,
        ),
    ),
    Preset(
        "auth0", "Auth0", "GenericOIDC", "oidc",
        (Input("issuer", message("Auth0 domain"), required=True, placeholder="acme.eu.auth0.com"), *client(), SCOPES),
        about=message("Accounts of your Auth0 tenant"),
        vendor_url="https://manage.auth0.com/",
        steps=(
            message("Under Applications, create a “Regular Web Application”."),
            message("On its tab Settings, add the redirect URI to “Allowed Callback URLs”, and save."),
            message("Copy the domain, the client ID and the client secret into this form."),
        ),
    ),
    Preset(
        "keycloak", "Keycloak", "GenericOIDC", "oidc",
        (
            Input(
                "issuer", message("Address of the realm"), required=True, placeholder="https://keycloak.example.com/realms/staff",
                hint=message("The “issuer” in the OpenID endpoint configuration, which the settings of the realm link to."),
            ),
            *client(),
            SCOPES,
        ),
        about=message("Accounts of a realm that you host"),
        steps=(
            message("In the realm, create a client of the type OpenID Connect, with “Client authentication” and “Standard flow” turned on."),
            message("Add the redirect URI to “Valid redirect URIs”."),
            message("Copy the client secret from the tab Credentials."),
        ),
    ),
    Preset(
        "slack", "Slack", "GenericOIDC", "oidc", (*client(), SCOPES),
        about=message("Members of a Slack workspace"),
        vendor_url="https://api.slack.com/apps",
        steps=(
            message("Create an app from scratch, in your workspace."),
            message("Under “OAuth & Permissions”, add the redirect URI to “Redirect URLs”, and the user token scopes openid, profile and email."),
            COPY,
        ),
    ),
    Preset(
        "linkedin", "LinkedIn", "GenericOIDC", "oidc", (*client(), SCOPES),
        about=message("Accounts of linkedin.com"),
        vendor_url="https://www.linkedin.com/developers/apps",
        steps=(
            message("Create an app. On its tab Products, request “Sign In with LinkedIn using OpenID Connect”."),
            message("On the tab Auth, add the redirect URI to “Authorized redirect URLs for your app”."),
            COPY,
        ),
        trusts=True,
    ),
    Preset(
        "discord", "Discord", "GenericOAuth", "oauth", (*client(), SCOPES),
        about=message("Accounts of discord.com"),
        vendor_url="https://discord.com/developers/applications",
        steps=(
            message("Create an application."),
            message("On its page OAuth2, add the redirect URI under “Redirects”, and save."),
            COPY,
        ),
        trusts=True,
    ),
    Preset(
        "facebook", "Facebook", "GenericOAuth", "oauth", (*client(message("App ID"), message("App secret")), SCOPES),
        about=message("Accounts of Facebook, whose email addresses count as not verified"),
        vendor_url="https://developers.facebook.com/apps",
        steps=(
            message("Create an app for Facebook Login, and allow it the permission email."),
            message("In the settings of Facebook Login, add the redirect URI to “Valid OAuth Redirect URIs”."),
            message("Copy the app ID and the app secret from the basic settings of the app."),
        ),
        trust="",
    ),
    Preset(
        "x", "X", "GenericOAuth", "oauth", (*client(), SCOPES),
        about=message("Accounts of x.com"),
        vendor_url="https://developer.x.com/en/portal/dashboard",
        steps=(
            message("In the settings of an app, set up user authentication: type “Web App”, and “Request email from users”."),
            message("Enter the redirect URI as “Callback URI / Redirect URL”."),
            message("Copy the client ID and the client secret of OAuth 2.0, not the API key."),
        ),
        trusts=True,
    ),
)  # fmt: skip
