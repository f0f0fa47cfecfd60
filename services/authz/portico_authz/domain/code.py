"""An authorization code as stored, presented and claimed (RFC 6749 section 4.1.2, RFC 7636 section 4.6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from portico_contracts.authz import CodeGrant
from portico_oauth.opaque import fingerprint


@dataclass(frozen=True, slots=True)
class CodeRecord:
    """An issued code. `challenge` is that of PKCE, `jkt` names its key (RFC 9449), empty without one; times are in
    unix seconds.
    """

    redirect_uri: str
    challenge: str
    issued_at: float
    expires_at: float
    grant: CodeGrant
    jkt: str = ""


class NewCode(NamedTuple):
    """A code before it is stored."""

    code: str
    record: CodeRecord


@dataclass(frozen=True, slots=True)
class PresentedCode:
    """`challenge` is computed from the verifier; a malformed one gives a value that matches no challenge.

    `jkt` is of the key that the client proved; empty without one.
    """

    client_id: str
    redirect_uri: str
    has_verifier: bool
    challenge: str
    jkt: str = ""


class IssueResult(StrEnum):
    """The result of issuing a code. Only `ISSUED` changed the store."""

    ISSUED = "issued"
    SESSION_ENDED = "session_ended"
    WITHDRAWN = "withdrawn"
    """Another response to the same request replaced it before it was stored."""


class ClaimOutcome(StrEnum):
    """`CLAIMED` occurs once per code; only it and `EXPIRED` by a clock that was set back change the store."""

    CLAIMED = "claimed"
    ALREADY_REDEEMED = "spent"
    UNKNOWN = "unknown"
    OTHER_CLIENT = "foreign"
    EXPIRED = "expired"
    VERIFIER_MISSING = "verifier_missing"
    UNEXPECTED_VERIFIER = "verifier_unasked"
    VERIFIER_WRONG = "verifier_wrong"
    OTHER_KEY = "other_key"


@dataclass(frozen=True, slots=True)
class Claim:
    """The outcome; ``grant`` is set with `CLAIMED`, ``grant_id`` with `ALREADY_REDEEMED`.

    `version` is of the user, read with the claim; None where the code does not name its user.
    """

    outcome: ClaimOutcome
    grant: CodeGrant | None = None
    grant_id: str = ""
    version: str | None = field(default=None, compare=False)


def reference_of(code: str) -> str:
    """Returns an identifier of a code that cannot be presented as one: its bucket and fingerprint."""
    return code[:2] + fingerprint(code)
