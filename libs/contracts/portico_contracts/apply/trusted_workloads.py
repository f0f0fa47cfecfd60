from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from portico_contracts.apply.parts import DeclaredObject, Name
from portico_contracts.apply.vocabulary import ConditionMatchName

Value = Annotated[str, Meta(min_length=1, max_length=500)]


class WorkloadCondition(DeclaredObject, frozen=True):
    """What a claim must be: ``exact``, or ``prefix`` for a beginning that ends with : or /."""

    claim: Annotated[str, Meta(min_length=1, max_length=100)]
    value: Value
    match: ConditionMatchName = ConditionMatchName.EXACT


class TrustedWorkload(DeclaredObject, frozen=True):
    """Whose tokens authenticate a service user or an application; ``keySet`` is a JWK set, as JSON in a text."""

    name: Name
    issuer: Value
    conditions: Annotated[tuple[WorkloadCondition, ...], Meta(min_length=1, max_length=10)]
    audience: Annotated[str, Meta(max_length=500)] = ""
    key_set: Annotated[str, Meta(max_length=20_000)] = ""


TrustedWorkloads = Annotated[tuple[TrustedWorkload, ...], Meta(max_length=20)]
