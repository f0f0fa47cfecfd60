"""Trusted workloads of service users and applications (decision 0152), and the keys of their issuers."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from portico_contracts.subjects import Message, Report, Rpc
from portico_contracts.users.public_keys import PublicKey

MOST_TRUSTED_WORKLOADS: Final = 20
"""Trusted workloads of a service user, and of an application."""


class ConditionMatch(StrEnum):
    """How the value of a claim is compared, always by code point."""

    EXACT = "exact"
    PREFIX = "prefix"
    """The claim is longer than the value, which ends at a separator."""


class WorkloadCondition(Message, frozen=True):
    """What a claim must be; only text fulfils a condition."""

    claim: str
    value: str
    match: ConditionMatch = ConditionMatch.EXACT


class TrustedWorkload(Message, frozen=True):
    """Whose tokens authenticate the client: signed by the issuer, for the audience, and fulfilling every condition.

    `audience` is empty for the issuer of this installation. With `has_keys` only `keys` verify the tokens; without it,
    those that the issuer publishes.
    """

    name: str
    issuer: str
    conditions: tuple[WorkloadCondition, ...]
    audience: str = ""
    has_keys: bool = False
    keys: tuple[PublicKey, ...] = ()


class GetIssuerKeys(Message, frozen=True):
    """Requests the keys that an issuer publishes, of which a client trusts workloads.

    `kid` is of the token: where no known key has it, the keys are fetched again, within the limits of the issuer.
    `provider_id`: of an identity provider with this issuer, whose assertions are accepted of the client.
    """

    client_id: str
    issuer: str
    kid: str = ""
    provider_id: str = ""


class IssuerKeys(Message, frozen=True):
    """`is_known` is false where nothing of the issuer is trusted for the client, `is_reached` where it gave no keys."""

    keys: tuple[PublicKey, ...] = ()
    is_known: bool = True
    is_reached: bool = True


class WorkloadUsed(Message, frozen=True):
    """A client authenticated with a token of a trusted workload; `at` is in unix seconds."""

    client_id: str
    workload: str
    issuer: str
    at: float


GET_ISSUER_KEYS = Rpc("users.v1.issuer.keys", GetIssuerKeys, IssuerKeys, ("token",), seconds=8.0)
"""Users may first have to fetch the keys."""
WORKLOAD_USED = Report("users.v1.workload.used", WorkloadUsed, ("token",))
"""At most once an hour for a trusted workload and a replica of token; lost where no replica of users listens."""
