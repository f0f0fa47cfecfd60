"""What trusted workloads must be like; every rule holds at each way of saving them (decision 0152)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from portico_contracts.users import MOST_TRUSTED_WORKLOADS, ConditionMatch, PublicKey
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.surrogates import find_lone_surrogate
from portico_runtime.http_client.addresses import AddressNotAllowed, read_web_address

from portico_users.journal.command import Command
from portico_users.trusted_workloads.key_sets import MAX_KEYS, has_private_key, read_public_keys
from portico_users.trusted_workloads.subjects import SEPARATORS, is_too_wide, names_workload
from portico_users.trusted_workloads.workload import TrustedWorkload, WorkloadCondition
from portico_users.values.names import is_name
from portico_users.values.operator_settings import Issuer, OutboundAllowed
from portico_users.values.own_issuer import is_own_issuer
from portico_users.values.problems import Problem, Problems, refuse_first

TOO_MANY = ErrorCode(
    "USER-230",
    Kind.INVALID_REQUEST,
    "There are more than 20 trusted workloads.",
    "Keep at most 20, or use another account.",
)
INVALID_WORKLOAD_NAME = ErrorCode(
    "USER-231",
    Kind.INVALID_REQUEST,
    "A trusted workload has no name, or the name of another one.",
    "Give each another name, up to 200 characters.",
)
INVALID_ISSUER = ErrorCode(
    "USER-232",
    Kind.INVALID_REQUEST,
    "This text cannot be the issuer of a trusted workload.",
    "Enter the https URL that the claim iss of its tokens has, to the last slash, without query and fragment.",
)
OWN_ISSUER = ErrorCode(
    "USER-233",
    Kind.INVALID_REQUEST,
    "Tokens of this installation cannot be those of a trusted workload.",
    "Use a key, or a token exchange, between accounts of this installation.",
)
INVALID_CONDITION = ErrorCode(
    "USER-234",
    Kind.INVALID_REQUEST,
    "This condition can never be compared as it is meant.",
    "Name a claim once, and its value without an asterisk. A prefix ends with : or /.",
)
NAMES_NOBODY = ErrorCode(
    "USER-235",
    Kind.INVALID_REQUEST,
    "The conditions do not name a workload: every token of the issuer would fulfil them.",
    "Add a condition on sub, or an exact one on azp, client_id, appid, oid, repository, repository_id, project_path,"
    " project_id or email.",
)
TOO_WIDE = ErrorCode(
    "USER-236",
    Kind.INVALID_REQUEST,
    "This subject holds for workloads of others.",
    "Name owner and repository for GitHub (repo:acme/shop:), the project for GitLab (project_path:acme/shop:), the"
    " namespace for Kubernetes (system:serviceaccount:shop:), or a path for SPIFFE; or add an exact condition on another"
    " claim, such as repository.",
)
INVALID_KEY_SET = ErrorCode(
    "USER-237",
    Kind.INVALID_REQUEST,
    "This is not a set of public keys.",
    "Paste the JSON of the issuer's jwks_uri: at most 100 keys, one at least for RS256, ES256 or EdDSA, and no private"
    " key.",
)
INVALID_AUDIENCE = ErrorCode(
    "USER-238",
    Kind.INVALID_REQUEST,
    "This text cannot be the audience of a trusted workload.",
    "Enter the value that the claim aud has, without spaces, or nothing for the issuer of this installation.",
)
CLASHING_KEYS = ErrorCode(
    "USER-247",
    Kind.INVALID_REQUEST,
    "Different keys of one issuer have the same kid.",
    "Paste each key once: a kid has to name one key, also in all trusted workloads of the issuer together.",
)

MOST_CONDITIONS: Final = 10
MAX_ISSUER: Final = 500
MAX_AUDIENCE: Final = 500
MAX_CLAIM: Final = 100
MAX_VALUE: Final = 500
MAX_KEY_SET: Final = 20_000
_GRAPHIC: Final = re.compile(r"[\x21-\x7e]+\Z")


def problems_of_workloads(workloads: Sequence[TrustedWorkload]) -> Problems:
    """Those that do not depend on the installation."""
    if len(workloads) > MOST_TRUSTED_WORKLOADS:
        yield Problem("trustedWorkloads", TOO_MANY)
    names: set[str] = set()
    kids: dict[tuple[str, str], PublicKey] = {}
    for number, workload in enumerate(workloads):
        for problem in _problems_of(workload, names):
            yield Problem(f"trustedWorkloads[{number}].{problem.path}", problem.error_code)
        if not _are_named_once(workload, kids):
            yield Problem(f"trustedWorkloads[{number}].keySet", CLASHING_KEYS)
        names.add(workload.name)


def _problems_of(workload: TrustedWorkload, names: set[str]) -> Problems:
    if not is_name(workload.name) or workload.name in names:
        yield Problem("name", INVALID_WORKLOAD_NAME)
    if not _is_issuer(workload.issuer):
        yield Problem("issuer", INVALID_ISSUER)
    if workload.audience and not (len(workload.audience) <= MAX_AUDIENCE and _GRAPHIC.match(workload.audience)):
        yield Problem("audience", INVALID_AUDIENCE)
    if workload.key_set and not _is_key_set(workload.key_set):
        yield Problem("keySet", INVALID_KEY_SET)
    yield from _problems_of_conditions(workload)


def _problems_of_conditions(workload: TrustedWorkload) -> Problems:
    if len(workload.conditions) > MOST_CONDITIONS:
        yield Problem("conditions", INVALID_CONDITION)
    claims = [one.claim for one in workload.conditions]
    for number, condition in enumerate(workload.conditions):
        if condition.claim in claims[:number] or not _is_condition(condition):
            yield Problem(f"conditions[{number}]", INVALID_CONDITION)
    if names_workload(workload.issuer, workload.conditions):
        return
    wide = [number for number, one in enumerate(workload.conditions) if is_too_wide(workload.issuer, one)]
    yield Problem(f"conditions[{wide[0]}].value", TOO_WIDE) if wide else Problem("conditions", NAMES_NOBODY)


def _is_condition(condition: WorkloadCondition) -> bool:
    claim, value = condition.claim, condition.value
    if not (0 < len(claim) <= MAX_CLAIM and 0 < len(value) <= MAX_VALUE):
        return False
    if "*" in value or not claim.isprintable() or not value.isprintable():
        return False
    return condition.match is ConditionMatch.EXACT or value.endswith(SEPARATORS)


def _is_issuer(text: str) -> bool:
    if not 0 < len(text) <= MAX_ISSUER or not _GRAPHIC.match(text) or "?" in text or "#" in text or "\\" in text:
        return False
    try:
        parts = urlsplit(text)
        has_host = bool(parts.hostname) and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        return False
    return parts.scheme in ("https", "http") and text.startswith(parts.scheme) and has_host


def _is_key_set(text: str) -> bool:
    document = _json_object(text) if len(text) <= MAX_KEY_SET else None
    if document is None or has_private_key(document):
        return False
    members = document.get("keys")
    return isinstance(members, list) and len(members) <= MAX_KEYS and bool(read_public_keys(document))


def _are_named_once(workload: TrustedWorkload, kids: dict[tuple[str, str], PublicKey]) -> bool:
    """Adds the pasted keys; token verifies with the one key that the kid of a token names, or not at all."""
    keys = read_public_keys(_json_object(workload.key_set) or {}) if len(workload.key_set) <= MAX_KEY_SET else ()
    return all(kids.setdefault((workload.issuer, key.kid), key) == key for key in keys if key.kid)


def _json_object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_text = find_lone_surrogate(text, found) is None  # otherwise the client could not be sent to token
    return found if isinstance(found, dict) and is_text else None


@dataclass(frozen=True, slots=True)
class TrustedIssuers(Command):
    """The rules that depend on the installation."""

    issuer: Issuer
    allowed: OutboundAllowed

    def require(self, workloads: Sequence[TrustedWorkload]) -> None:
        """Raises USER-232 for http without the operator's permission, and USER-233 for our own issuer."""
        refuse_first(self._problems_of(workloads))

    def _problems_of(self, workloads: Sequence[TrustedWorkload]) -> Problems:
        for number, workload in enumerate(workloads):
            if is_own_issuer(workload.issuer, self.issuer):
                yield Problem(f"trustedWorkloads[{number}].issuer", OWN_ISSUER)
            elif not self._may_be_fetched(workload):
                yield Problem(f"trustedWorkloads[{number}].issuer", INVALID_ISSUER)

    def _may_be_fetched(self, workload: TrustedWorkload) -> bool:
        try:
            read_web_address(workload.issuer, self.allowed)
        except AddressNotAllowed:
            return False
        return True
