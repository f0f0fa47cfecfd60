"""Which conditions name a workload, and which let other people's workloads in, by the forms of known issuers.

A subject of GitHub names owner and repository, one of GitLab the project, one of Kubernetes the namespace, and a SPIFFE
id a path. Other people own repositories with the same beginning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from portico_contracts.users import ConditionMatch

from portico_users.trusted_workloads.workload import WorkloadCondition

SUBJECT: Final = "sub"
SEPARATORS: Final = (":", "/")

_NAMING: Final = frozenset(
    {"azp", "client_id", "appid", "oid", "repository", "repository_id", "project_path", "project_id", "email"}
)
"""Other claims that name a workload, where the whole value is compared.

Not `job_workflow_ref`: other repositories may call a workflow.
"""

_GITHUB: Final = "token.actions.githubusercontent.com"
_GITHUB_SERVER: Final = "/_services/token"
_WORD: Final = "[^:/*]+"
_FORMS: Final = {
    "repo:": re.compile(rf"repo:{_WORD}/{_WORD}:.*", re.DOTALL),
    "project_path:": re.compile(rf"project_path:{_WORD}(/{_WORD})+:.*", re.DOTALL),
    "system:serviceaccount:": re.compile(rf"system:serviceaccount:{_WORD}:.*", re.DOTALL),
    "spiffe://": re.compile(rf"spiffe://{_WORD}/{_WORD}.*", re.DOTALL),
}
"""What a subject that begins so has to name at least."""

_SEGMENTS: Final = 2
"""Of a prefix in no known form: a kind and a name."""


def names_workload(issuer: str, conditions: Sequence[WorkloadCondition]) -> bool:
    """Reports whether one of the conditions holds for a workload, rather than for every token of the issuer."""
    return any(_names(issuer, condition) for condition in conditions)


def is_too_wide(issuer: str, condition: WorkloadCondition) -> bool:
    """Reports whether a condition on the subject holds for workloads of other owners."""
    if condition.claim != SUBJECT:
        return False
    value, is_prefix = condition.value, condition.match is ConditionMatch.PREFIX
    for beginning, form in _FORMS.items():
        if value.startswith(beginning):
            return not form.fullmatch(value)
        if is_prefix and beginning.startswith(value):
            return True
    if _is_github(issuer):
        return True
    return is_prefix and len([part for part in re.split("[:/]", value) if part]) < _SEGMENTS


def _names(issuer: str, condition: WorkloadCondition) -> bool:
    if condition.claim == SUBJECT:
        return not is_too_wide(issuer, condition)
    return condition.claim in _NAMING and condition.match is ConditionMatch.EXACT


def _is_github(issuer: str) -> bool:
    try:
        parts = urlsplit(issuer)
    except ValueError:
        return False
    return parts.hostname == _GITHUB or parts.path.endswith(_GITHUB_SERVER)
