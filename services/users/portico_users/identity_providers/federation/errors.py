from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.process.clock import Clock
from prometheus_client.metrics import Counter

NOT_OFFERED = ErrorCode(
    "USER-960",
    Kind.NOT_FOUND,
    "This identity provider is not available for this sign-in.",
    "Activate it, and add it to the login policy of the organization.",
)
NOT_REACHABLE = ErrorCode(
    "USER-961",
    Kind.UNAVAILABLE,
    "The identity provider cannot be reached.",
    "Check its addresses, and that they respond within 5 seconds. One that is private must be listed in the setting "
    "PORTICO_OUTBOUND_ALLOW. The log has the cause.",
)
UNREADABLE_ANSWER = ErrorCode(
    "USER-962",
    Kind.FAILED_PRECONDITION,
    "The response of the identity provider cannot be read.",
    "Check that its addresses return status 200 and one JSON object without repeated members.",
)
MALFORMED_JWT = ErrorCode(
    "USER-963",
    Kind.INVALID_REQUEST,
    "The identity provider sent no valid JWT.",
    "Send one signed JWT of at most 16384 characters, in compact form and without repeated members.",
)
NO_KEY = ErrorCode(
    "USER-964",
    Kind.FAILED_PRECONDITION,
    "No published key of the identity provider matches this JWT.",
    "Publish the key with the kid of the JWT, for an asymmetric algorithm that fits it.",
)
WRONG_SIGNATURE = ErrorCode(
    "USER-965",
    Kind.INVALID_GRANT,
    "The signature of the JWT is invalid.",
    "Sign it with the private key of the published key.",
)
WRONG_ISSUER = ErrorCode(
    "USER-966", Kind.INVALID_GRANT, "The JWT has another issuer.", "Set iss to exactly the configured issuer."
)
WRONG_AUDIENCE = ErrorCode(
    "USER-967",
    Kind.INVALID_GRANT,
    "The JWT is intended for another audience.",
    "Set aud to the issuer of this installation, or for OpenID Connect to its client id.",
)
MISSING_CLAIM = ErrorCode(
    "USER-968",
    Kind.INVALID_GRANT,
    "A claim of the JWT (exp, iat or sub) is missing or has the wrong type.",
    "Send exp and iat as numbers and sub as a string of 1 to 255 characters.",
)
NOT_CURRENT = ErrorCode(
    "USER-969",
    Kind.INVALID_GRANT,
    "The JWT is expired, older than an hour, or not yet valid.",
    "Issue a new one for each sign-in, and compare the clocks.",
)
USED_BEFORE = ErrorCode(
    "USER-970", Kind.INVALID_GRANT, "This JWT was already used.", "Issue a new one for each sign-in."
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
    "Start the sign-in again.",
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
    "New accounts are not created for this identity provider.",
    "Allow creation in its options, or ask the organization for an account.",
)
ACCOUNT_INACTIVE = ErrorCode(
    "USER-975",
    Kind.PERMISSION_DENIED,
    "The account of this identity is not active.",
    "Activate the user and the organization, or link another account.",
)
OTHER_ORGANIZATION = ErrorCode(
    "USER-976",
    Kind.PERMISSION_DENIED,
    "The account of this identity belongs to another organization.",
    "Sign in at that organization, or use another identity.",
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
    "The identity provider took too long to respond.",
    "Try again later. An identity provider has 10 seconds for all requests of a sign-in.",
)

PROVIDER_REFUSED = ErrorCode(
    "USER-979",
    Kind.ACCESS_DENIED,
    "The identity provider refused the sign-in.",
    "Look for the error of the provider in the log. Often the client id, client secret or redirect URI differ there.",
)
OTHER_SIGN_IN = ErrorCode(
    "USER-980",
    Kind.INVALID_GRANT,
    "The response of the identity provider belongs to another sign-in.",
    "Start the sign-in again. The log names what differed: nonce, at_hash, or sub of userinfo.",
)
OTHER_PROVIDER = ErrorCode(
    "USER-981",
    Kind.FAILED_PRECONDITION,
    "The response comes from another identity provider.",
    "Configure exactly the issuer in its discovery document.",
)
OTHER_DOMAIN = ErrorCode(
    "USER-630",
    Kind.PERMISSION_DENIED,
    "The identity provider accepts only other domains.",
    "Sign in with an account of a domain in hostedDomains, or add the domain there.",
)
OTHER_TENANT = ErrorCode(
    "USER-631",
    Kind.PERMISSION_DENIED,
    "The identity provider accepts only other tenants.",
    "Sign in with an account of a tenant in tenants, or add its id there.",
)
NO_SUBJECT = ErrorCode(
    "USER-633",
    Kind.FAILED_PRECONDITION,
    "The identity provider did not identify the user.",
    "Set claims.subject to a member of the userinfo response with a string of 1 to 255 "
    "characters or an integer. With entra, request the scope profile.",
)
CERTIFICATE_REFUSED = ErrorCode(
    "USER-380",
    Kind.FAILED_PRECONDITION,
    "The directory's certificate cannot be verified.",
    "Check its host name and dates. If it was issued by your own authority, set rootCa.",
)
NO_START_TLS = ErrorCode(
    "USER-381",
    Kind.FAILED_PRECONDITION,
    "The directory does not offer TLS.",
    "Enable StartTLS there, or use ldaps://. Passwords are never sent without TLS.",
)
SEARCH_ACCOUNT_REFUSED = ErrorCode(
    "USER-382",
    Kind.FAILED_PRECONDITION,
    "The directory rejected the search account.",
    "Check bindDn and bindPassword. The log has the result code.",
)
SEVERAL_ENTRIES = ErrorCode(
    "USER-383",
    Kind.FAILED_PRECONDITION,
    "More than one directory entry has this login name.",
    "Set userFilters to attributes that are unique below baseDn, or narrow userObjectClasses.",
)
NO_ENTRY_SUBJECT = ErrorCode(
    "USER-384",
    Kind.FAILED_PRECONDITION,
    "The directory entry has no permanent identifier.",
    "Set idAttribute to the attribute this directory has (objectGUID of Active Directory and Samba, nsUniqueId of 389 "
    "Directory Server), and let the search account read it.",
)
DIRECTORY_REFUSED = ErrorCode(
    "USER-385",
    Kind.FAILED_PRECONDITION,
    "The directory returned an error.",
    "Check baseDn, and that the server holds the entries itself: referrals are not followed. "
    "The log has the result code.",
)
ENTRY_TOO_LARGE = ErrorCode(
    "USER-770",
    Kind.FAILED_PRECONDITION,
    "The directory sent more than Portico reads about a user.",
    "The attribute with the groups may have 5000 values, all others together 2000, and a message 512 KiB. Use an attribute with fewer groups, or let the search account read less.",
)
NEW_PASSWORD_NEEDED = ErrorCode(
    "USER-395",
    Kind.FAILED_PRECONDITION,
    "The directory requires a new password.",
    "The password is right, but has expired or was reset. Change it at the directory, then sign in with the new one.",
)

FEDERATION_ERRORS: Final = frozenset(code.id for code in list(vars().values()) if isinstance(code, ErrorCode))


PER_MINUTE: Final = 10
"""Per provider, reason and replica."""

_WINDOW: Final = 60.0
_MOST_WINDOWS: Final = 1_000
"""Above this number, expired windows are removed."""

_REFUSALS: Final = Counter(
    "portico_idp_sign_ins_refused_total",
    "Refused sign-ins through identity providers, by event: logged, or left_out beyond the log's limit.",
    ["event"],
)


@dataclass(slots=True)
class _Window:
    began: float
    count: int = 0
    left_out: int = 0


class ErrorEventLimit:
    """Counts in memory: restarts and further replicas add to the limit, but the log stays bounded."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._windows: dict[tuple[str, str], _Window] = {}

    def count(self, idp_id: str, error_id: str) -> int | None:
        """Returns the number of events suppressed since the last logged one, or None to suppress this one."""
        window = self._current(idp_id, error_id)
        if window.count >= PER_MINUTE:
            window.left_out += 1
            _REFUSALS.labels("left_out").inc()
            return None
        window.count += 1
        left_out, window.left_out = window.left_out, 0
        _REFUSALS.labels("logged").inc()
        return left_out

    def _current(self, idp_id: str, error_id: str) -> _Window:
        now, key = self._clock.now(), (idp_id, error_id)
        if len(self._windows) >= _MOST_WINDOWS and key not in self._windows:
            self._windows = {name: one for name, one in self._windows.items() if _is_open(one, now)}
        window = self._windows.setdefault(key, _Window(now))
        if not _is_open(window, now):
            window = self._windows[key] = _Window(now, left_out=window.left_out)
        return window


def _is_open(window: _Window, now: float) -> bool:
    # A clock that was set back starts a new window.
    return 0 <= now - window.began < _WINDOW
