"""Trusted workloads of known issuers, and what is wide about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from portico_contracts.apply import ConditionMatchName, WorkloadCondition

_PREFIX: Final = ConditionMatchName.PREFIX


class Wanted(NamedTuple):
    """`subject` is what the template calls its workload; `branch` and `environment` narrow it."""

    subject: str
    branch: str = ""
    environment: str = ""


class Template(NamedTuple):
    """`workload` is the form of what it names; `issuer` is empty where it has to be given."""

    issuer: str
    workload: str
    conditions: Callable[[Wanted], tuple[WorkloadCondition, ...]]
    warnings: Callable[[Wanted], tuple[str, ...]]
    narrowed: bool = False


def _subject(value: str, *, prefix: bool = False) -> WorkloadCondition:
    return WorkloadCondition("sub", value, _PREFIX) if prefix else WorkloadCondition("sub", value)


def _of_kubernetes(wanted: Wanted) -> tuple[WorkloadCondition, ...]:
    namespace, _, account = wanted.subject.partition("/")
    return (_subject(f"system:serviceaccount:{namespace}:{account}", prefix=not account),)


def _wide_in_kubernetes(wanted: Wanted) -> tuple[str, ...]:
    namespace, _, account = wanted.subject.partition("/")
    wide = () if account else (f"Every service account of the namespace {namespace} gets in: name one.",)
    return (*wide, "A cluster that cannot be reached from here needs --keys, again whenever its keys change.")


def _of_github(wanted: Wanted) -> tuple[WorkloadCondition, ...]:
    if wanted.environment:
        return (_subject(f"repo:{wanted.subject}:environment:{wanted.environment}"),)
    if wanted.branch:
        return (_subject(f"repo:{wanted.subject}:ref:refs/heads/{wanted.branch}"),)
    return (_subject(f"repo:{wanted.subject}:", prefix=True),)


def _wide_at_github(wanted: Wanted) -> tuple[str, ...]:
    if wanted.environment or wanted.branch:
        return ()
    return ("Pull requests get in, which are code of other people: name a branch or an environment.",)


def _of_gitlab(wanted: Wanted) -> tuple[WorkloadCondition, ...]:
    path = f"project_path:{wanted.subject}:"
    narrow = (WorkloadCondition("environment", wanted.environment),) if wanted.environment else ()
    if wanted.branch:
        return (
            _subject(f"{path}ref_type:branch:ref:{wanted.branch}"),
            WorkloadCondition("ref_protected", "true"),
            *narrow,
        )
    return (_subject(path, prefix=True), *narrow)


def _wide_at_gitlab(wanted: Wanted) -> tuple[str, ...]:
    if wanted.environment or wanted.branch:
        return ()
    return ("Every branch of the project gets in, protected or not: name a branch or an environment.",)


def _of_any(wanted: Wanted) -> tuple[WorkloadCondition, ...]:
    return (_subject(wanted.subject, prefix=wanted.subject.endswith((":", "/"))),)


def _wide_at_any(wanted: Wanted) -> tuple[str, ...]:
    begins = (
        (f"Every subject that begins with {wanted.subject} gets in.",) if wanted.subject.endswith((":", "/")) else ()
    )
    return (*begins, "The issuer has to give the subject; a workload that can choose it gets in as any other.")


TEMPLATES: Final[Mapping[str, Template]] = {
    "kubernetes": Template(
        "https://kubernetes.default.svc.cluster.local", "NAMESPACE/NAME", _of_kubernetes, _wide_in_kubernetes
    ),
    "github": Template(
        "https://token.actions.githubusercontent.com", "OWNER/REPOSITORY", _of_github, _wide_at_github, narrowed=True
    ),
    "gitlab": Template("https://gitlab.com", "GROUP/PROJECT", _of_gitlab, _wide_at_gitlab, narrowed=True),
    "generic": Template("", "SUBJECT", _of_any, _wide_at_any),
}
