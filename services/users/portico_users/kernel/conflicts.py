"""What the journal refuses a change for: the errors that other changes at the same time, or before, cause."""

from __future__ import annotations

from portico_oauth.errors import ErrorCode, Kind

ID_TAKEN = ErrorCode("USER-010", Kind.ALREADY_EXISTS, "This id is already in use.", "Choose another id, or omit it.")
NAME_TAKEN = ErrorCode("USER-011", Kind.ALREADY_EXISTS, "This name is already in use.", "Choose another name.")
ALREADY_USED = ErrorCode(
    "USER-014", Kind.INVALID_GRANT, "This was already used, or is no longer valid.", "Start again from the beginning."
)
UNFINISHED = ErrorCode(
    "USER-910",
    Kind.UNAVAILABLE,
    "The roles were removed; removing them from users is still in progress.",
    "Repeat the call until it succeeds. It continues where it stopped.",
)
CHANGED_MEANWHILE = ErrorCode(
    "USER-012",
    Kind.FAILED_PRECONDITION,
    "The object was changed by another request at the same time.",
    "Get the object again, and repeat the change.",
)
