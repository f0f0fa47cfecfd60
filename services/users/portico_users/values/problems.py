from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from portico_oauth.errors import ErrorCode, Kind, ServiceError, Violation


class Problem(NamedTuple):
    """An error at a path of the document, such as ``oidcApps[0].redirectUris[1]``."""

    path: str
    error_code: ErrorCode


Problems = Iterator[Problem]


def at(path: str, error: ServiceError) -> ServiceError:
    """Adds the path to the public text of the error."""
    if not path:
        return error
    return ServiceError(
        error.kind,
        error.id,
        f"{path}: {error.text}",
        retry_after=error.retry_after,
        private=error.private,
        violations=(Violation(path, error.text),),
    )


@contextmanager
def below(path: str) -> Iterator[None]:
    """Prefixes the paths of errors raised in the block, for example with that of an object in a document."""
    try:
        yield
    except ServiceError as error:
        if not path:
            raise
        if not error.violations:
            raise at(path, error) from None
        found = error.violations[0]
        bare = ServiceError(
            error.kind, error.id, found.translated(), retry_after=error.retry_after, private=error.private
        )
        raise at(f"{path}.{found.field}", bare) from None


def refuse_first(problems: Problems, path: str = "") -> None:
    for problem in problems:
        inner = f"{path}.{problem.path}" if path and problem.path else path or problem.path
        raise at(inner, problem.error_code.error())


ID_TAKEN = ErrorCode("USER-010", Kind.ALREADY_EXISTS, "This id is already in use.", "Choose another id, or omit it.")
NAME_TAKEN = ErrorCode("USER-011", Kind.ALREADY_EXISTS, "This name is already in use.", "Choose another name.")
EXTERNAL_ID_TAKEN = ErrorCode(
    "USER-201",
    Kind.ALREADY_EXISTS,
    "Another object of this connection has this externalId.",
    "Use another externalId, or find the object by it.",
)
ALREADY_USED = ErrorCode(
    "USER-014", Kind.INVALID_GRANT, "This was already used, or is no longer valid.", "Start again from the beginning."
)
UNFINISHED = ErrorCode(
    "USER-910",
    Kind.UNAVAILABLE,
    "The change was made; updating all dependent objects is still in progress.",
    "Repeat the call until it succeeds. It continues where it stopped.",
)
CHANGED_MEANWHILE = ErrorCode(
    "USER-012",
    Kind.FAILED_PRECONDITION,
    "The object was changed by another request at the same time.",
    "Get the object again, and repeat the change.",
)
