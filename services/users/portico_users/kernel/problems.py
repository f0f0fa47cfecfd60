"""What is wrong with something somebody wants, and where in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from portico_oauth.errors import ErrorCode, ServiceError, Violation


class Problem(NamedTuple):
    """A fact about one place.

    Attributes:
        path: the place, in the words of the document: ``oidcApps[0].redirectUris[1]``.
    """

    path: str
    error_code: ErrorCode


Problems = Iterator[Problem]


def at(path: str, error: ServiceError) -> ServiceError:
    """The same refusal, naming the place in the text the caller reads."""
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


def refuse_first(problems: Problems, path: str) -> None:
    """Raises the first problem with its full path; does nothing when there is none."""
    for problem in problems:
        inner = f"{path}.{problem.path}" if path and problem.path else path or problem.path
        raise at(inner, problem.error_code.error())
