"""What an administrator does in a directory, so that it sends users and groups."""

from __future__ import annotations

from typing import Final, NamedTuple

from portico_console.messages import message


class SetUp(NamedTuple):
    """`address` and `secret` are the names that the directory has for them; `steps` end with a test."""

    word: str
    title: str
    address: str
    secret: str
    steps: tuple[str, ...]


_ENTER: Final = message("Enter the address and the secret under the names above.")

DIRECTORIES: Final = (
    SetUp(
        "entra",
        "Microsoft Entra ID",
        "Tenant URL",
        "Secret Token",
        (
            message("Under “Enterprise applications”, create a non-gallery application and open “Provisioning”."),
            _ENTER,
            message("Select “Test connection”. Entra ID looks up a user who does not exist."),
            message("Under “Mappings”, delete the attributes that Portico does not store, such as roles."),
            message("Assign a user to the application, open “Provision on demand”, and provision this user as a test."),
            message("Start provisioning. Entra ID then sends changes about every 40 minutes."),
        ),
    ),
    SetUp(
        "okta",
        "Okta",
        "Base URL",
        "API token",
        (
            message("Create an application with SCIM provisioning, and choose the HTTP header as authentication."),
            message("As unique identifier of users, enter “userName”."),
            _ENTER,
            message("Select “Test API Credentials”, and save."),
            message("Under “To App”, turn on creating, updating and deactivating users."),
            message("Assign a user as a test. Push groups under “Push Groups”."),
        ),
    ),
    SetUp(
        "google",
        "Google Workspace",
        "Endpoint URL",
        "Access token",
        (
            message("Open the application under “Web and mobile apps”, and set up automatic provisioning."),
            _ENTER,
            message("Keep the mapping of attributes. Google sends users, but no groups."),
            message("Turn provisioning on for one organizational unit as a test."),
        ),
    ),
)
