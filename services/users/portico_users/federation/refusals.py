"""Why a sign-in through another identity provider is refused: each of these is one event an administrator can read."""

from __future__ import annotations

from typing import Final

from portico_oauth.errors import ErrorCode, Kind

NOT_OFFERED = ErrorCode(
    "USER-960",
    Kind.NOT_FOUND,
    "This identity provider is not offered here.",
    "Activate it, and add it to the login policy of the organization.",
)
NOT_REACHABLE = ErrorCode(
    "USER-961",
    Kind.UNAVAILABLE,
    "The identity provider cannot be reached.",
    "Check its addresses, and that they answer within 5 seconds; the log has the cause.",
)
UNREADABLE_ANSWER = ErrorCode(
    "USER-962",
    Kind.FAILED_PRECONDITION,
    "The identity provider answered in a form that cannot be read.",
    "Look at what its addresses answer: status 200 and one JSON object, without repeated members.",
)
MALFORMED_JWT = ErrorCode(
    "USER-963",
    Kind.INVALID_REQUEST,
    "What came from the identity provider is no JWT that can be read.",
    "Send one signed JWT of at most 16384 characters, in compact form and without repeated members.",
)
NO_KEY = ErrorCode(
    "USER-964",
    Kind.FAILED_PRECONDITION,
    "The identity provider publishes no key that this JWT can be verified with.",
    "Publish the key with the kid of the JWT, for an asymmetric algorithm that fits it.",
)
WRONG_SIGNATURE = ErrorCode(
    "USER-965",
    Kind.INVALID_GRANT,
    "The signature of the JWT is not that of the identity provider.",
    "Sign it with the private half of the published key.",
)
WRONG_ISSUER = ErrorCode(
    "USER-966",
    Kind.INVALID_GRANT,
    "The JWT is of another issuer.",
    "Make iss equal to the issuer that is configured, letter for letter.",
)
WRONG_AUDIENCE = ErrorCode(
    "USER-967",
    Kind.INVALID_GRANT,
    "The JWT is meant for others.",
    "Put the issuer of this installation into aud, or with OpenID Connect its client id.",
)
MISSING_CLAIM = ErrorCode(
    "USER-968",
    Kind.INVALID_GRANT,
    "The JWT lacks one of the claims exp, iat and sub, or it is of another type.",
    "Send exp and iat as numbers and sub as text of 1 to 255 characters.",
)
NOT_CURRENT = ErrorCode(
    "USER-969",
    Kind.INVALID_GRANT,
    "The JWT is expired, older than an hour, or not valid yet.",
    "Issue a new one for each sign-in, and compare the clocks.",
)
USED_BEFORE = ErrorCode(
    "USER-970",
    Kind.INVALID_GRANT,
    "This JWT was used for a sign-in before.",
    "Issue a new one for each sign-in.",
)
IDENTITY_EXPIRED = ErrorCode(
    "USER-971",
    Kind.INVALID_GRANT,
    "The sign-in at the identity provider was too long ago.",
    "Sign in at the identity provider again.",
)
PROVIDER_CHANGED = ErrorCode(
    "USER-972",
    Kind.FAILED_PRECONDITION,
    "The identity provider was changed during this sign-in.",
    "Begin the sign-in again.",
)
LINKING_FORBIDDEN = ErrorCode(
    "USER-973",
    Kind.PERMISSION_DENIED,
    "This identity provider cannot be linked to accounts.",
    "Allow linking in its options, and link only accounts of organizations that it is offered in.",
)
CREATION_FORBIDDEN = ErrorCode(
    "USER-974",
    Kind.PERMISSION_DENIED,
    "No account is created for people of this identity provider.",
    "Allow creation in its options, or ask the organization for an account.",
)
ACCOUNT_INACTIVE = ErrorCode(
    "USER-975",
    Kind.PERMISSION_DENIED,
    "The account of this identity cannot be signed in to.",
    "Activate the user and the organization, or link another account.",
)
OTHER_ORGANIZATION = ErrorCode(
    "USER-976",
    Kind.PERMISSION_DENIED,
    "The account of this identity belongs to another organization.",
    "Sign in where that organization is, or use another identity.",
)
OTHER_ISSUER = ErrorCode(
    "USER-977",
    Kind.PERMISSION_DENIED,
    "This identity was linked when the identity provider had another issuer.",
    "Remove the link, and link the identity again.",
)
PROVIDER_BUSY = ErrorCode(
    "USER-978",
    Kind.UNAVAILABLE,
    "The identity provider takes too long.",
    "Try again later; an identity provider has 10 seconds for all it is asked.",
)

PROVIDER_REFUSED = ErrorCode(
    "USER-979",
    Kind.ACCESS_DENIED,
    "The identity provider refused the sign-in.",
    "Look for the error of the provider in the log; often client id, client secret or redirect URI differ there.",
)
OTHER_SIGN_IN = ErrorCode(
    "USER-980",
    Kind.INVALID_GRANT,
    "What the identity provider sent belongs to another sign-in.",
    "Begin the sign-in again; the log names what differed: nonce, at_hash, or sub of userinfo.",
)
OTHER_PROVIDER = ErrorCode(
    "USER-981",
    Kind.FAILED_PRECONDITION,
    "The answer is of another identity provider.",
    "Configure the issuer letter for letter as its discovery document has it.",
)
OTHER_DOMAIN = ErrorCode(
    "USER-630",
    Kind.PERMISSION_DENIED,
    "The identity provider is open to people of other domains only.",
    "Sign in with an account of a domain in hostedDomains, or add the domain there.",
)
OTHER_TENANT = ErrorCode(
    "USER-631",
    Kind.PERMISSION_DENIED,
    "The identity provider is open to people of other tenants only.",
    "Sign in with an account of a tenant in tenants, or add its id there.",
)
NO_SUBJECT = ErrorCode(
    "USER-633",
    Kind.FAILED_PRECONDITION,
    "The identity provider does not state who signed in.",
    "Name in claims.subject a member of the userinfo document with text of 1 to 255 characters, or an integer; with "
    "entra, request the scope profile.",
)
CERTIFICATE_REFUSED = ErrorCode(
    "USER-380",
    Kind.FAILED_PRECONDITION,
    "The directory's certificate cannot be verified.",
    "Check its host name and dates, and give its authority as rootCa where it is one of your own.",
)
NO_START_TLS = ErrorCode(
    "USER-381",
    Kind.FAILED_PRECONDITION,
    "The directory begins no TLS.",
    "Enable StartTLS there, or use ldaps://; no password is sent without TLS.",
)
SEARCH_ACCOUNT_REFUSED = ErrorCode(
    "USER-382",
    Kind.FAILED_PRECONDITION,
    "The directory refused the account that searches.",
    "Check bindDn and bindPassword; the log has the result code.",
)
SEVERAL_ENTRIES = ErrorCode(
    "USER-383",
    Kind.FAILED_PRECONDITION,
    "More than one entry of the directory has this login name.",
    "Make userFilters attributes that are unique below baseDn, or narrow userObjectClasses.",
)
NO_ENTRY_SUBJECT = ErrorCode(
    "USER-384",
    Kind.FAILED_PRECONDITION,
    "The entry has no attribute that names the person for good.",
    "Set idAttribute to the one this directory has, such as objectGUID, and let the account that searches read it.",
)
DIRECTORY_REFUSED = ErrorCode(
    "USER-385",
    Kind.FAILED_PRECONDITION,
    "The directory did not do what it was asked.",
    "Check baseDn, and that the server has the entries itself: referrals are not followed; the log has the result code.",
)

FEDERATION_ERRORS: Final = frozenset(code.id for code in list(vars().values()) if isinstance(code, ErrorCode))
"""The ids of all of them."""
