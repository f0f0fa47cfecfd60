"""What accepted assertions must be like; every rule holds at each way of saving them (decision 0157)."""

from __future__ import annotations

import re
from typing import Final

from portico_oauth.client_id_urls import host_of_client_id
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.resources import is_resource
from portico_oauth.scopes import is_known

from portico_users.identity_providers.assertions.accepted import AcceptedAssertions, AssertionRule
from portico_users.identity_providers.idp import Idp, OidcConfig
from portico_users.identity_providers.issuers import has_tenants
from portico_users.identity_providers.presets.preset import PRESETS, Quirk
from portico_users.values.names import is_id, is_name
from portico_users.values.own_issuer import is_own_issuer
from portico_users.values.problems import Problem, Problems

NOT_OF_ORGANIZATION = ErrorCode(
    "USER-696",
    Kind.INVALID_REQUEST,
    "Assertions of this identity provider cannot be accepted.",
    "Use an OpenID Connect provider of an organization. Its users must have the claim sub as their id there.",
)
OWN_ASSERTIONS = ErrorCode(
    "USER-697",
    Kind.INVALID_REQUEST,
    "Assertions of this installation cannot be accepted by itself.",
    "Use a token exchange between applications of this installation.",
)
INVALID_RULE = ErrorCode(
    "USER-698",
    Kind.INVALID_REQUEST,
    "This rule for assertions is not valid.",
    "Name a client id and the resource of an API once, with its scopes; at most 50 rules of 100 scopes. Clients with"
    " a metadata document cannot authenticate.",
)
TENANT_NEEDED = ErrorCode(
    "USER-699",
    Kind.INVALID_REQUEST,
    "The tenant of an issuer that tenants share is missing or incomplete.",
    "Set the claim that names the tenant, and the value that it must have: for Google hd and your domain.",
)

MOST_RULES: Final = 50
MOST_SCOPES: Final = 100
MAX_CLAIM: Final = 100
_SCOPE: Final = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,200}\Z")


def problems_of_assertions(idp: Idp, own_issuer: str) -> Problems:
    accepted, config = idp.assertions, idp.config
    if not accepted.rules:
        if accepted.tenant_claim or accepted.tenant:
            yield Problem("tenant", TENANT_NEEDED)
        return
    if idp.of_instance or not isinstance(config, OidcConfig) or has_tenants(config):
        yield Problem("rules", NOT_OF_ORGANIZATION)
        return
    if is_own_issuer(config.issuer, own_issuer):
        yield Problem("rules", OWN_ASSERTIONS)
    yield from _problems_of_tenant(accepted, config)
    places = [(rule.client_id, rule.resource) for rule in accepted.rules]
    for number, rule in enumerate(accepted.rules):
        if number >= MOST_RULES or places[number] in places[:number] or not _is_rule(rule):
            yield Problem(f"rules[{number}]", INVALID_RULE)


def _problems_of_tenant(accepted: AcceptedAssertions, config: OidcConfig) -> Problems:
    is_shared = Quirk.HOSTED_DOMAIN in PRESETS[config.preset].quirks
    claim, tenant = accepted.tenant_claim, accepted.tenant
    is_pinned = len(claim) <= MAX_CLAIM and claim.isprintable() and is_name(tenant)
    if bool(claim) != bool(tenant) or (is_shared and claim != "hd") or (claim and not is_pinned):
        yield Problem("tenant", TENANT_NEEDED)


def _is_rule(rule: AssertionRule) -> bool:
    scopes = rule.scopes
    are_scopes = len({*scopes}) == len(scopes) <= MOST_SCOPES and all(map(_is_scope, scopes))
    is_client = is_id(rule.client_id) and not host_of_client_id(rule.client_id)
    return is_client and is_resource(rule.resource) and are_scopes


def _is_scope(word: str) -> bool:
    """Words that are not of an API have effects beyond it, and are never granted for an assertion."""
    return bool(_SCOPE.match(word)) and not is_known(word)
