"""The error catalogue: a closed table of kinds, and error codes of a kind.

`ErrorCode` constants are declared in the module that raises them; ``raise CODE_SPENT.error(...)`` adds
private fields for the log. `portico_web.surfaces` renders errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

# RFC 6749 section 4.1.2.1: error_description may contain %x20-21 / %x23-5B / %x5D-7E.
_DESCRIPTION: Final = re.compile(r"[\x20-\x21\x23-\x5b\x5d-\x7e]+\Z")
_ERROR_CODE_ID: Final = re.compile(r"[A-Z]{3,6}-\d{3}\Z")


class Kind(StrEnum):
    """The kinds of errors, a closed set: a new kind needs a new row in `TABLE`."""

    INVALID_REQUEST = "malformed"
    INVALID_SCOPE = "scope_refused"
    INVALID_TARGET = "target_refused"
    UNSUPPORTED_RESPONSE_TYPE = "response_type_unknown"
    UNSUPPORTED_GRANT_TYPE = "grant_type_unknown"
    REQUEST_NOT_SUPPORTED = "request_object"
    REQUEST_URI_NOT_SUPPORTED = "request_uri"
    INVALID_REQUEST_URI = "request_uri_unknown"
    INVALID_CLIENT = "client_unknown"
    UNAUTHORIZED_CLIENT = "client_not_allowed"
    INVALID_GRANT = "grant_spent"
    INVALID_TOKEN = "token_refused"
    WRONG_TOKEN_SCHEME = "token_scheme"
    INVALID_DPOP_PROOF = "proof_refused"
    USE_DPOP_NONCE = "nonce_needed"
    INSUFFICIENT_SCOPE = "scope_missing"
    LOGIN_REQUIRED = "login_needed"
    INTERACTION_REQUIRED = "interaction_needed"
    CONSENT_REQUIRED = "consent_needed"
    UNMET_AUTHENTICATION_REQUIREMENTS = "acr_unmet"
    ACCESS_DENIED = "denied"
    DEVICE_DENIED = "device_denied"
    AUTHORIZATION_PENDING = "authorization_pending"
    POLLED_TOO_FAST = "polled_too_fast"
    EXPIRED_TOKEN = "device_code_expired"
    PERMISSION_DENIED = "not_allowed"
    UNAUTHENTICATED = "unauthenticated"
    NOT_FOUND = "absent"
    UNIMPLEMENTED = "unimplemented"
    ALREADY_EXISTS = "exists"
    FAILED_PRECONDITION = "precondition"
    ABORTED = "changed_meanwhile"
    TOO_MANY_REQUESTS = "slow_down"
    METHOD_NOT_ALLOWED = "wrong_method"
    UNSUPPORTED_MEDIA_TYPE = "wrong_media"
    CONTENT_TOO_LARGE = "too_large"
    UNAVAILABLE = "unavailable"
    SERVER_ERROR = "fault"


class Rendering(NamedTuple):
    oauth: str
    """The OAuth error code (RFC 6749, RFC 6750, RFC 8628, RFC 9449, OIDC Core, OIDC Unmet Authentication Requirements)."""
    status: int
    """The HTTP status of OAuth JSON responses and pages."""
    rpc: int
    """The google.rpc code of the management API."""
    page: str
    """The text on pages."""


TABLE: Final[dict[Kind, Rendering]] = {
    Kind.INVALID_REQUEST: Rendering("invalid_request", 400, 3, "The link or form that led here is incomplete."),
    Kind.INVALID_SCOPE: Rendering(
        "invalid_scope", 400, 3, "The application requested something it is not allowed to have."
    ),
    Kind.INVALID_TARGET: Rendering(
        "invalid_target", 400, 3, "The application requested something it is not allowed to have."
    ),
    Kind.UNSUPPORTED_RESPONSE_TYPE: Rendering(
        "unsupported_response_type", 400, 3, "The application sent an unknown kind of request."
    ),
    Kind.UNSUPPORTED_GRANT_TYPE: Rendering(
        "unsupported_grant_type", 400, 3, "The application sent an unknown kind of request."
    ),
    Kind.REQUEST_NOT_SUPPORTED: Rendering(
        "request_not_supported", 400, 3, "The application sent an unsupported request."
    ),
    Kind.REQUEST_URI_NOT_SUPPORTED: Rendering(
        "request_uri_not_supported", 400, 3, "The application sent an unsupported request."
    ),
    Kind.INVALID_REQUEST_URI: Rendering("invalid_request_uri", 400, 9, "This sign-in was already used or has expired."),
    Kind.INVALID_CLIENT: Rendering("invalid_client", 401, 16, "Unknown application."),
    Kind.UNAUTHORIZED_CLIENT: Rendering("unauthorized_client", 400, 7, "This application is not allowed to do this."),
    Kind.INVALID_GRANT: Rendering("invalid_grant", 400, 9, "This sign-in was already used or has expired."),
    Kind.INVALID_TOKEN: Rendering("invalid_token", 401, 16, "Please sign in again."),
    Kind.WRONG_TOKEN_SCHEME: Rendering("invalid_token", 401, 16, "Please sign in again."),
    Kind.INVALID_DPOP_PROOF: Rendering(
        "invalid_dpop_proof", 400, 16, "The application requested something it is not allowed to have."
    ),
    Kind.USE_DPOP_NONCE: Rendering(
        "use_dpop_nonce", 400, 16, "The application requested something it is not allowed to have."
    ),
    Kind.INSUFFICIENT_SCOPE: Rendering("insufficient_scope", 403, 7, "The application is not allowed to see this."),
    Kind.LOGIN_REQUIRED: Rendering("login_required", 400, 16, "Please sign in first."),
    Kind.CONSENT_REQUIRED: Rendering("consent_required", 400, 9, "Please sign in first."),
    Kind.INTERACTION_REQUIRED: Rendering("interaction_required", 400, 9, "Please sign in first."),
    Kind.UNMET_AUTHENTICATION_REQUIREMENTS: Rendering(
        "unmet_authentication_requirements", 400, 9, "The application requires a stronger sign-in."
    ),
    Kind.ACCESS_DENIED: Rendering("access_denied", 403, 7, "The sign-in was cancelled."),
    Kind.DEVICE_DENIED: Rendering("access_denied", 400, 7, "The sign-in was denied."),
    Kind.AUTHORIZATION_PENDING: Rendering("authorization_pending", 400, 9, "The sign-in is not complete yet."),
    Kind.POLLED_TOO_FAST: Rendering("slow_down", 400, 9, "The sign-in is not complete yet."),
    Kind.EXPIRED_TOKEN: Rendering("expired_token", 400, 9, "This sign-in was already used or has expired."),
    Kind.PERMISSION_DENIED: Rendering("access_denied", 403, 7, "You are not allowed to do this."),
    Kind.UNAUTHENTICATED: Rendering("access_denied", 401, 16, "Please sign in first."),
    Kind.NOT_FOUND: Rendering("invalid_request", 404, 5, "Page not found."),
    Kind.UNIMPLEMENTED: Rendering("invalid_request", 404, 12, "Page not found."),
    Kind.ALREADY_EXISTS: Rendering("invalid_request", 409, 6, "This already exists."),
    Kind.FAILED_PRECONDITION: Rendering("invalid_request", 400, 9, "This cannot be done at the moment."),
    Kind.ABORTED: Rendering("invalid_request", 409, 10, "This cannot be done at the moment."),
    Kind.TOO_MANY_REQUESTS: Rendering(
        "temporarily_unavailable", 429, 8, "Too many attempts. Please wait a moment and try again."
    ),
    Kind.METHOD_NOT_ALLOWED: Rendering(
        "invalid_request", 405, 12, "This address does not support this kind of request."
    ),
    Kind.UNSUPPORTED_MEDIA_TYPE: Rendering(
        "invalid_request", 415, 3, "This address does not support this kind of request."
    ),
    Kind.CONTENT_TOO_LARGE: Rendering("invalid_request", 413, 3, "The request is too large."),
    Kind.UNAVAILABLE: Rendering(
        "server_error", 503, 14, "The service is temporarily unavailable. Please try again in a moment."
    ),
    Kind.SERVER_ERROR: Rendering("server_error", 500, 13, "Internal error."),
}


class Compared(NamedTuple):
    """The values a check compared, for diagnostics: only text that may be shown, never a raw parameter."""

    check: str
    given: str = ""
    wanted: tuple[str, ...] = ()
    hint: str = ""


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One error; `id` is stable, the public `text` is in the character set of RFC 6749 section 4.1.2.1."""

    id: str
    kind: Kind
    text: str
    fix: str = ""

    def __post_init__(self) -> None:
        if not _ERROR_CODE_ID.match(self.id):
            raise ValueError(f"error id {self.id!r} does not look like PORT-001")
        if not _DESCRIPTION.match(self.text):
            raise ValueError(f"{self.id}: text has characters RFC 6749 forbids")
        if ERROR_CODES.setdefault(self.id, self) != self:
            raise ValueError(f"error id {self.id} is declared twice")

    def error(
        self,
        *,
        retry_after: int | None = None,
        violations: tuple[Violation, ...] = (),
        named: str = "",
        compared: Compared | None = None,
        **private: Any,
    ) -> ServiceError:
        """``private`` fields go to the log and never to the caller; `retry_after` is in seconds."""
        return ServiceError(
            self.kind,
            self.id,
            self.text,
            retry_after=retry_after,
            private=private,
            violations=violations,
            named=named,
            compared=compared,
        )


class Violation(NamedTuple):
    """`field` is a path (``oidcApps[0].redirectUris[1]``); `limit` and `value` replace their names in the text."""

    field: str
    text: str
    limit: int = 0
    value: str = ""

    def translated(self, translate: Callable[[str], str] = str) -> str:
        return translate(self.text).replace("{limit}", str(self.limit)).replace("{value}", self.value)


ERROR_CODES: Final[dict[str, ErrorCode]] = {}
"""All error codes of imported modules, by id: the source of docs/generated/errors.md."""


class ServiceError(Exception):
    def __init__(
        self,
        kind: Kind,
        id: str,
        text: str,
        *,
        retry_after: int | None = None,
        private: dict[str, Any] | None = None,
        violations: tuple[Violation, ...] = (),
        named: str = "",
        compared: Compared | None = None,
    ) -> None:
        self._template = text
        self._named = named
        self.text = text.replace("{named}", named)
        super().__init__(f"{id}: {self.text}")
        self.kind = kind
        self.id = id
        self.retry_after = retry_after
        self.private = private or {}
        self.violations = violations
        self.compared = compared
        self.is_traced = False
        """Diagnostics were recorded already; an error passes several handlers."""

    @property
    def rendering(self) -> Rendering:
        return TABLE[self.kind]

    def translated(self, translate: Callable[[str], str]) -> str:
        """Returns the translated public text; `named` is inserted after the translation."""
        return translate(self._template).replace("{named}", self._named)


SERVER_ERROR: Final = ErrorCode(
    "PORT-001", Kind.SERVER_ERROR, "Internal error.", "Report the request id to the operator."
)
PATH_NOT_FOUND: Final = ErrorCode("PORT-002", Kind.NOT_FOUND, "Not found.", "Check the path against the documentation.")
METHOD_NOT_ALLOWED: Final = ErrorCode(
    "PORT-003", Kind.METHOD_NOT_ALLOWED, "Method not allowed.", "Use a method listed in the Allow header."
)
UNAVAILABLE: Final = ErrorCode(
    "PORT-004",
    Kind.UNAVAILABLE,
    "The service is temporarily unavailable.",
    "Try again after the number of seconds in Retry-After.",
)
INVALID_INPUT: Final = ErrorCode(
    "PORT-005", Kind.INVALID_REQUEST, "The request is malformed.", "Check the names and types of the parameters."
)
