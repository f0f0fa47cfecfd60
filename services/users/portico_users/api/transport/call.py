"""One call: who makes it, and what it is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from portico_oauth.errors import ErrorCode
from portico_web.languages import Language

from portico_users.api.transport.caller import Caller

Subject = TypeVar("Subject", covariant=True)  # noqa: PLC0105 - what a call is about, in either direction read only


@dataclass(frozen=True, slots=True)
class Target(Generic[Subject]):
    """What a call is about.

    Args:
        org_id: the organization the object belongs to: there the permission is decided.
        subject: the object, as it was found.
        absent: what is answered where it is unknown; a foreign one gets exactly the same (MG-04).
        user_id: whose own it is, if it is a user or a user's.
        project_id: the project it belongs to, or the project grant, if any: roles in it count as well.
    """

    org_id: str
    subject: Subject
    absent: ErrorCode
    user_id: str = ""
    project_id: str = ""


@dataclass(frozen=True, slots=True)
class RequestContext:
    """A call whose target is not known yet.

    Args:
        org_ids: what the organization headers name.
    """

    caller: Caller
    org_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call(Generic[Subject]):
    """A call that is permitted.

    Args:
        target: what it is about.
        language: the caller's.
    """

    caller: Caller
    target: Target[Subject]
    language: Language
