"""The rotation of a browser's handle with the authentication that caused it: stored together or not at all."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from portico_authz.domain.auth_request import Progress
from portico_authz.domain.browser import Browser
from portico_authz.domain.submission import Submission


@dataclass(frozen=True, slots=True)
class HandleRotation:
    """The changes of one authentication; all of them are in the browser's bucket.

    Attributes:
        old, new: handles.
        browser: its state after the rotation.
        request_id: the authorization request of the authentication.
        progress, submission, signed_in: of that request.
    """

    old: str = field(repr=False)
    new: str = field(repr=False)
    browser: Browser
    request_id: str
    progress: Progress
    submission: Submission
    signed_in: str = ""


class RotationResult(StrEnum):
    """The result of a rotation. Only `ROTATED` changed the store."""

    ROTATED = "rotated"
    ALREADY_ROTATED = "already_rotated"
    """A concurrent identical submission was first: the browser has the new handle already."""

    CHANGED = "changed"
    """Another sign-in replaced the old handle."""

    NOT_FOUND = "not_found"
    """The authorization request has expired."""
