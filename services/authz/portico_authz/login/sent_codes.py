"""Codes that were sent: how their page names the address, and what it shows when none could be sent."""

from __future__ import annotations

from portico_contracts.login import Problem
from portico_oauth.errors import Kind, ServiceError

from portico_authz.login.state import Login, Transition


def masked(email: str) -> str:
    local, _, domain = email.rpartition("@")
    return f"{local[:1]}\u2026@{domain}"


def not_sent(login: Login, error: ServiceError) -> Transition:
    """The open step with the problem, where a code was not sent; raises every other error."""
    if error.kind is Kind.TOO_MANY_REQUESTS and error.retry_after:
        return Transition(login, Problem.SLOW_DOWN, error.retry_after)
    # Without a time to wait for, such as at the limit of text messages, another way is better than waiting.
    if error.kind in (Kind.FAILED_PRECONDITION, Kind.TOO_MANY_REQUESTS):
        return Transition(login, Problem.NOT_SENT)
    raise error
