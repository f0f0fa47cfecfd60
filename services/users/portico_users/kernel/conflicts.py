"""What the journal refuses a change for: the errors that other changes at the same time, or before, cause."""

from __future__ import annotations

from portico_oauth.errors import ErrorCode, Kind

ID_TAKEN = ErrorCode("USER-010", Kind.ALREADY_EXISTS, "This id is already used.", "Choose another id, or leave it out.")
NAME_TAKEN = ErrorCode("USER-011", Kind.ALREADY_EXISTS, "This name is already used.", "Choose another name.")
ALREADY_USED = ErrorCode(
    "USER-014", Kind.INVALID_GRANT, "This was used already, or is not good any more.", "Begin again where it came from."
)
UNFINISHED = ErrorCode(
    "USER-910",
    Kind.UNAVAILABLE,
    "The roles are gone, but not all users who had them are written yet.",
    "Repeat the call until it succeeds: it goes on where it ended.",
)
CHANGED_MEANWHILE = ErrorCode(
    "USER-012",
    Kind.FAILED_PRECONDITION,
    "This was changed by another request at the same time.",
    "Read it again and repeat.",
)
