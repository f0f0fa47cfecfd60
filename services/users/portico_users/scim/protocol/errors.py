"""What is wrong with a request of SCIM; `api/error_responses.py` writes it as RFC 7644 section 3.12 has it."""

from __future__ import annotations

from portico_oauth.errors import ErrorCode, Kind

INVALID_SECRET = ErrorCode(
    "USER-207",
    Kind.UNAUTHENTICATED,
    "The bearer token is not a secret of this SCIM connection.",
    "Enter a secret of the connection in the directory. Generate a new one if it is lost.",
)
INVALID_FILTER = ErrorCode(
    "USER-209",
    Kind.INVALID_REQUEST,
    "The filter is not valid, or not supported.",
    "Compare one of the supported attributes, such as userName eq, in at most 2,048 bytes and 8 levels.",
)
INVALID_SYNTAX = ErrorCode(
    "USER-210",
    Kind.INVALID_REQUEST,
    "The body is not a SCIM message of this request.",
    "Send the JSON object that RFC 7644 describes for it.",
)
INVALID_PATH = ErrorCode(
    "USER-211",
    Kind.INVALID_REQUEST,
    "The path names no attribute that can be changed.",
    "Use an attribute of the schema, which /Schemas lists.",
)
INVALID_VALUE = ErrorCode(
    "USER-212",
    Kind.INVALID_REQUEST,
    "The value is missing, or does not fit the attribute.",
    "Send a value of the type that the schema has for the attribute.",
)
NO_TARGET = ErrorCode(
    "USER-213",
    Kind.INVALID_REQUEST,
    "A removal needs a path.",
    'Name in path what is removed, such as members[value eq "…"].',
)
READ_ONLY = ErrorCode("USER-214", Kind.INVALID_REQUEST, "This attribute is read-only.", "Omit it: the server sets it.")
TOO_MANY_MEMBERS = ErrorCode(
    "USER-215",
    Kind.INVALID_REQUEST,
    "This is about too many members at once.",
    "Change at most 500 members in one request, and read larger groups with excludedAttributes=members.",
)
INVALID_CURSOR = ErrorCode(
    "USER-216", Kind.INVALID_REQUEST, "The cursor is not valid.", "Start again with an empty cursor."
)
NOT_JSON_MEDIA = ErrorCode(
    "USER-217",
    Kind.UNSUPPORTED_MEDIA_TYPE,
    "The body must be application/scim+json or application/json.",
    "Send JSON, in UTF-8 and not compressed.",
)
ACCOUNT_OF_OTHERS = ErrorCode(
    "USER-218",
    Kind.ALREADY_EXISTS,
    "This userName is already in use by an account that the connection cannot adopt.",
    "Use another userName. An account of the organization is adopted if its address is in a verified domain of the"
    " organization, it has no administrator role, and no other connection keeps it.",
)
GROUP_WITHOUT_VERSION = ErrorCode(
    "USER-219",
    Kind.FAILED_PRECONDITION,
    "Groups have no version.",
    "Omit If-Match. Add and remove members one by one, so that no change of another client is lost.",
)
