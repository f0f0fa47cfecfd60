"""An authorization code as it is stored, presented and claimed (RFC 6749 §4.1.2, RFC 7636 §4.6)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from portico_contracts.authz import CodeGrant
from portico_oauth.opaque import fingerprint


@dataclass(frozen=True, slots=True)
class CodeRecord:
    """A code that was issued.

    Attributes:
        challenge: the PKCE challenge; empty when the request had none.
        issued_at: unix seconds.
        expires_at: unix seconds.
        grant: for the caller that claims the code.
    """

    redirect_uri: str
    challenge: str
    issued_at: float
    expires_at: float
    grant: CodeGrant


@dataclass(frozen=True, slots=True)
class PresentedCode:
    """The parameters of an authenticated client that claims a code.

    Attributes:
        has_verifier: a verifier was sent at all.
        challenge: the challenge that verifier belongs to; something no challenge equals when it is malformed.
    """

    client_id: str
    redirect_uri: str
    has_verifier: bool
    challenge: str


class IssueResult(StrEnum):
    """The result of issuing a code. Only `ISSUED` changed the store."""

    ISSUED = "issued"
    SESSION_ENDED = "session_ended"
    WITHDRAWN = "withdrawn"
    """Another response to the same request replaced it before it was stored."""


class ClaimOutcome(StrEnum):
    """The result of a claim. `CLAIMED` happens once per code.

    No other result changes the store, except `EXPIRED` by a clock that was set back: that uses the code up.
    """

    CLAIMED = "claimed"
    ALREADY_REDEEMED = "spent"
    UNKNOWN = "unknown"
    OTHER_CLIENT = "foreign"
    EXPIRED = "expired"
    VERIFIER_MISSING = "verifier_missing"
    UNEXPECTED_VERIFIER = "verifier_unasked"
    VERIFIER_WRONG = "verifier_wrong"


@dataclass(frozen=True, slots=True)
class Claim:
    """The outcome; ``grant`` with `CLAIMED`, ``grant_id`` with `ALREADY_REDEEMED`."""

    outcome: ClaimOutcome
    grant: CodeGrant | None = None
    grant_id: str = ""


def reference_of(code: str) -> str:
    """Names a code, and cannot be presented as one: its bucket and its fingerprint."""
    return code[:2] + fingerprint(code)
