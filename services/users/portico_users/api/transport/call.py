from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from portico_oauth.errors import ErrorCode
from portico_web.languages import Language

from portico_users.api.transport.caller import Caller

Subject = TypeVar("Subject", covariant=True)  # noqa: PLC0105 - what a call is about, in either direction read only


@dataclass(frozen=True, slots=True)
class Target(Generic[Subject]):
    """The object of a call.

    Args:
        org_id: the organization the object belongs to, where the permission is checked.
        absent: the error for an unknown object; objects of other organizations give the same error (MG-04).
        user_id: the user it is or belongs to, if any.
        project_id: the project or project grant it belongs to, if any; roles there count as well.
    """

    org_id: str
    subject: Subject
    absent: ErrorCode
    user_id: str = ""
    project_id: str = ""


@dataclass(frozen=True, slots=True)
class RequestContext:
    caller: Caller
    org_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call(Generic[Subject]):
    caller: Caller
    target: Target[Subject]
    language: Language
