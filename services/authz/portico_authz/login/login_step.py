from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from portico_contracts.login import Answer
from portico_contracts.login_steps import AnyStep

from portico_authz.dependencies import Dependencies
from portico_authz.login.state import Login, Transition
from portico_authz.steps import Requirement

Submitted = TypeVar("Submitted", bound=Answer)

Common = dict[str, Any]
"""The fields that every step has."""


@dataclass(frozen=True, slots=True)
class LoginStep(Generic[Submitted]):
    """What the page of a step shows, what its answer does, and when an authenticated user has to take it."""

    answer: type[Submitted]
    show: Callable[[Dependencies, Transition, Common], Awaitable[AnyStep]]
    submit: Callable[[Dependencies, Login, Submitted], Awaitable[Transition]]
    requirement: Requirement | None = None
