"""A browser's new handle, and what it was earned with: kept together or not at all."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from portico_authz.domain.auth_request import Progress
from portico_authz.domain.browser import Browser
from portico_authz.domain.submission import Submission


@dataclass(frozen=True, slots=True)
class Renewal:
    """What a proof changes; all of it lies in the browser's bucket.

    Attributes:
        old, new: handles.
        browser: as it is from now on.
        request_id: the request the proof was given for.
        progress, submission, signed_in: of that request.
    """

    old: str = field(repr=False)
    new: str = field(repr=False)
    browser: Browser
    request_id: str
    progress: Progress
    submission: Submission
    signed_in: str = ""


class Renewed(StrEnum):
    """How it ended. Only `NOW` changed anything."""

    NOW = "now"
    BEFORE = "before"
    """The same form was sent twice, and the other one came first: the new handle is the browser's already."""

    CHANGED = "changed"
    """The old handle is none any more, for another reason."""

    GONE = "gone"
    """There is no such request."""
