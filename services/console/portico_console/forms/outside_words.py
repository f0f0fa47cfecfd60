"""Labels, hints and words of the forms and pages of outside servers."""

from __future__ import annotations

from typing import Final

_FORMS: Final = ("AddOutsideServerRequest", "UpdateOutsideServerRequest", "OutsideServer")

OUTSIDE_LABELS: Final = {
    f"{form}.{name}": label
    for form in _FORMS
    for name, label in (
        ("issuer", "Issuer"),
        ("applications", "Applications"),
        ("resources", "Resources"),
        ("people", "For which users"),
        ("groups", "Groups"),
        ("roles", "Roles"),
        ("sendsEmail", "Assertions have the email address"),
    )
} | {"OutsideApplication.outsideClientId": "Client ID at the server", "OutsideRole.roleKey": "Role"}
OUTSIDE_HINTS: Final = {
    f"{form}.{name}": hint
    for form in _FORMS
    for name, hint in (
        ("issuer", "The issuer in the metadata of the authorization server, such as https://auth.example.com."),
        ("applications", "Client IDs of applications here, and at the server where it is another one. Public clients get no assertions."),
        ("resources", "URIs at the server that an assertion can name, such as the address of an MCP server."),
        ("people", ""),
        ("groups", "IDs of groups. For selected users only."),
        ("roles", "For selected users only."),
        ("sendsEmail", "Only verified addresses. The server can then find existing accounts by the address."),
    )
} | {"OutsideApplication.outsideClientId": "Empty if it is the same."}  # fmt: skip
OUTSIDE_WORDS: Final = {
    "AGENT_RULE_OUTSIDE_SERVER": "The rule of an outside server",
    "OUTSIDE_SERVER_PEOPLE_SELECTED": "Users with one of the groups or roles",
    "OUTSIDE_SERVER_PEOPLE_ORGANIZATION": "All users of the organization",
}
