"""The trusted workload as it is stored with a service user or an application, and as token receives it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final, cast

import msgspec
from portico_contracts import apply as document
from portico_contracts.users import ConditionMatch
from portico_contracts.users import TrustedWorkload as Trusted
from portico_contracts.users import WorkloadCondition as TrustedCondition

from portico_users.trusted_workloads.key_sets import read_public_keys
from portico_users.values.fields import MISSING, Each, Field, Fields, Source, Words
from portico_users.values.problems import below


class WorkloadCondition(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """As `portico_contracts.users.WorkloadCondition`."""

    claim: str
    value: str
    match: ConditionMatch = ConditionMatch.EXACT


class TrustedWorkload(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """As `portico_contracts.users.TrustedWorkload`; `key_set` is a JWK set as JSON, empty for the issuer's own."""

    name: str
    issuer: str
    audience: str = ""
    conditions: tuple[WorkloadCondition, ...] = ()
    key_set: str = ""


_CONDITION_FIELDS: Final = Fields(
    WorkloadCondition,
    document.WorkloadCondition,
    (Field("match", conversion=Words({name: ConditionMatch(name.value) for name in document.ConditionMatchName})),),
)
WORKLOAD_FIELDS: Final = Fields(
    TrustedWorkload, document.TrustedWorkload, (Field("conditions", conversion=Each(_CONDITION_FIELDS)),)
)
TRUSTED_WORKLOADS: Final = Field("trusted_workloads", conversion=Each(WORKLOAD_FIELDS))


def workloads_in(source: Source, stored: tuple[TrustedWorkload, ...]) -> tuple[TrustedWorkload, ...]:
    """Those that a message or a part of a document states; the stored ones where it states none."""
    value = source.find(TRUSTED_WORKLOADS.public_name)
    if value is MISSING:
        return stored
    with below(TRUSTED_WORKLOADS.place):
        return cast("tuple[TrustedWorkload, ...]", TRUSTED_WORKLOADS.conversion.read(value))


def declared_workloads(workloads: Iterable[TrustedWorkload]) -> tuple[document.TrustedWorkload, ...] | None:
    """As a document declares them; None for none."""
    return tuple([WORKLOAD_FIELDS.document(one) for one in workloads]) or None


def trusted(workloads: Iterable[TrustedWorkload]) -> tuple[Trusted, ...]:
    """As token verifies with them."""
    return tuple([_trusted(one) for one in workloads])


def _trusted(workload: TrustedWorkload) -> Trusted:
    return Trusted(
        name=workload.name,
        issuer=workload.issuer,
        audience=workload.audience,
        conditions=tuple(TrustedCondition(claim=c.claim, value=c.value, match=c.match) for c in workload.conditions),
        has_keys=bool(workload.key_set),
        keys=read_public_keys(json.loads(workload.key_set)) if workload.key_set else (),
    )
