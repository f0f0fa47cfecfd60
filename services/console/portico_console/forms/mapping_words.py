"""Labels, hints and words of the mapping of SCIM connections, on its form and on the page."""

from __future__ import annotations

from typing import Final

MAPPING_LABELS: Final = {
    "mapping": "Mapping",
    "ScimMapping.loginName": "Login name",
    "ScimMapping.address": "Email address",
    "ScimMapping.displayName": "Display name",
    "ScimMapping.attributes": "Attributes stored elsewhere",
    "ScimAttribute.attribute": "Attribute",
    "ScimAttribute.destination": "Stored in",
    "ScimAttribute.key": "Metadata key",
}
MAPPING_HINTS: Final = {
    "mapping": "Users who were sent before stay as they are until the directory sends them again.",
    "ScimMapping.loginName": "Users for whom the directory does not send it are refused.",
    "ScimMapping.address": "",
    "ScimMapping.displayName": "",
    "ScimMapping.attributes": "All others are stored where the guide lists them.",
    "ScimAttribute.attribute": "Such as title, or with its schema urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department.",
    "ScimAttribute.destination": "",
    "ScimAttribute.key": "Only for metadata. Rules for claims name it.",
}
MAPPING_WORDS: Final = {
    "SCIM_LOGIN_NAME_USER_NAME": "User name in the directory",
    "SCIM_LOGIN_NAME_EMAIL": "The email address of the account",
    "SCIM_LOGIN_NAME_EXTERNAL_ID": "ID in the directory",
    "SCIM_LOGIN_NAME_NICK_NAME": "Nickname in the directory",
    "SCIM_LOGIN_NAME_EMPLOYEE_NUMBER": "Employee number",
    "SCIM_ADDRESS_PRIMARY": "The primary one",
    "SCIM_ADDRESS_WORK": "The one for work",
    "SCIM_ADDRESS_USER_NAME": "User name in the directory",
    "SCIM_DISPLAY_NAME_DISPLAY_NAME": "Display name in the directory",
    "SCIM_DISPLAY_NAME_PARTS": "First and last name",
    "SCIM_DESTINATION_METADATA": "Metadata",
    "SCIM_DESTINATION_NICK_NAME": "Nickname",
    "SCIM_DESTINATION_PREFERRED_LANGUAGE": "Language",
    "SCIM_DESTINATION_TIME_ZONE": "Time zone",
    "SCIM_DESTINATION_PROFILE_URL": "Profile URL",
    "SCIM_DESTINATION_NOWHERE": "Not stored",
}
