from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from portico_oauth.errors import ErrorCode
from portico_web.languages import Language

from portico_users.management_api.transport.caller import Caller

Subject = TypeVar("Subject", covariant=True)  # noqa: PLC0105 - what a call is about, in either direction read only


@dataclass(frozen=True, slots=True)
class Target(Generic[Subject]):
    """The object of a call. Objects of other organizations give the same error ``absent`` as unknown ones (MG-04).

    ``of_owners``: only instance owners may change it.
    """

    org_id: str
    subject: Subject
    absent: ErrorCode
    user_id: str = ""
    project_id: str = ""
    of_owners: bool = False


@dataclass(frozen=True, slots=True)
class RequestContext:
    caller: Caller
    org_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call(Generic[Subject]):
    caller: Caller
    target: Target[Subject]
    language: Language
