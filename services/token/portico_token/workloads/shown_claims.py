"""What diagnostics show of a token of a workload: the names of its claims, and the values of a few (IN-09).

Tokens of CI jobs name people (`actor`, `user_email`), so values are shown of an allow-list and of claims that conditions
name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from portico_contracts.users import Client

_SHOWN: Final = frozenset(
    {"iss", "sub", "aud", "exp", "iat", "nbf", "azp", "client_id", "repository", "repository_id", "ref", "ref_type"}
    | {"event_name", "environment", "job_workflow_ref", "workflow_ref", "project_path", "project_id"}
)
MOST_CLAIMS: Final = 24
_NAME: Final = 40
_VALUE: Final = 60
_CUT: Final = "\u2026"


def shown_claims(claims: Mapping[str, Any], client: Client) -> tuple[str, ...]:
    """One text for each claim: its name, with a shortened value where that may be shown."""
    named = {one.claim for workload in client.trusted_workloads for one in workload.conditions}
    shown = _SHOWN | named
    names = sorted(claims, key=lambda name: (name not in shown, name))
    return tuple(_shown(name, claims[name], with_value=name in shown) for name in names[:MOST_CLAIMS])


def _shown(name: str, value: object, *, with_value: bool) -> str:
    short = shown_text(name, _NAME)
    return f"{short}={shown_value(value)}" if with_value else short


def shown_value(value: object) -> str:
    match value:
        case str():
            return shown_text(value)
        case bool() | int() | float():
            return str(value)[:_VALUE]
        case [str(one)]:
            return shown_text(one)
        case _:
            return f"({type(value).__name__})"


def shown_text(text: str, most: int = _VALUE) -> str:
    """Printable characters only; cut in the middle, because the end of a subject is what differs."""
    if len(text) > most:
        half = (most - 1) // 2
        text = f"{text[:half]}{_CUT}{text[-half:]}"
    return "".join(one if one.isprintable() else _CUT for one in text)
