"""Protocol mappers of Keycloak: roles, audiences and claims of claim rules are translated, other claims are named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from portico_contracts.apply import ClaimRule
from portico_contracts.users import MOST_CLAIM_RULES

from portico_conversion.applications.keycloak.claim_rules import claim_name, groups_rule, roles_rule, rule_of
from portico_conversion.findings import Reports
from portico_conversion.placeholders import PLACEHOLDER, is_placeholder
from portico_conversion.reading.records import MEMBER, Record

AUDIENCE: Final = (
    "an audience (aud): make it a resource of an API application, which the client requests with `resource`"
)
SAME_PROJECT: Final = "an audience (aud) of a client: tokens name every application of the project"
ALL_ROLES: Final = "a claim with roles: it lists all roles of the project that the user has"
NESTED: Final = "a claim with roles inside another claim: set rolesClaim to the name of a separate claim"
SECOND: Final = "a second claim with roles, whose name a claim rule cannot have: rolesClaim is one claim"
RULE: Final = "a claim of a protocol mapper: a claim rule gives it"
MOST: Final = "a claim of a protocol mapper: an application has at most 50 claim rules"
PREFIX: Final = "a prefix of roles in a claim"
CLAIM: Final = "a claim of a protocol mapper"

_ROLES: Final = frozenset({"oidc-usermodel-realm-role-mapper", "oidc-usermodel-client-role-mapper"})
_GROUPS: Final = "oidc-group-membership-mapper"
_STANDARD: Final = frozenset(
    {
        "oidc-allowed-origins-mapper",
        "oidc-audience-resolve-mapper",
        "oidc-acr-mapper",
        "oidc-sub-mapper",
        "oidc-amr-mapper",
    }
)
_CLAIMS: Final = (
    "sub auth_time name given_name family_name middle_name nickname preferred_username profile picture website gender "
    "birthdate zoneinfo locale updated_at email email_verified phone_number phone_number_verified address sid "
    "clientHost clientAddress client_id clientId"
)
"""Claims that tokens have here under the same names, or that describe the request."""

_OWN_CLIENT: Final = "${client_id}"
"""A variable of Keycloak."""

_ATTRIBUTES: Final = {"given_name": "firstName", "family_name": "lastName", "preferred_username": "username"}
_OF_USUAL_CLAIMS: Final = frozenset(
    {"oidc-usermodel-attribute-mapper", "oidc-usermodel-property-mapper", "oidc-usersessionmodel-note-mapper"}
)
_OF_PROFILE: Final = frozenset(_CLAIMS.split())


_USUAL_KINDS: Final = frozenset({"oidc-address-mapper", "oidc-full-name-mapper"})
_USUAL_CLAIMS: Final = frozenset(
    {
        ("roles", "realm_access.roles"),
        ("roles", "resource_access.${client_id}.roles"),
        ("microprofile-jwt", "groups"),
        ("microprofile-jwt", "upn"),
        ("organization", "organization"),
    }
)
"""Claims of client scopes that every realm has, by scope."""


_OF_CONFIGS: Final = frozenset(
    {
        "access.token.claim",
        "access.tokenResponse.claim",
        "aggregate.attrs",
        "claim.name",
        "claim.value",
        "full.path",
        "id.token.claim",
        "included.client.audience",
        "included.custom.audience",
        "introspection.token.claim",
        "jsonType.label",
        "lightweight.claim",
        "multivalued",
        "user.attribute",
        "usermodel.clientRoleMapping.clientId",
        "userinfo.token.claim",
    }
)


class Mapper(Record, frozen=True):
    name: str = ""
    protocol_mapper: str = ""
    config: dict[str, str] = {}

    usual = frozenset({"id", "protocol", "consentRequired"})
    literal = frozenset({"claim.name"})


class TokenClaims(NamedTuple):
    roles_claim: str = ""
    in_access_token: bool = False
    in_id_token: bool = False
    groups_claim: str = ""
    rules: tuple[ClaimRule, ...] = ()

    def with_rule(self, rule: ClaimRule, report: Reports) -> TokenClaims:
        """The last mapper of a claim counts."""
        others = tuple(one for one in self.rules if one.claim != rule.claim)
        if len(others) == MOST_CLAIM_RULES:
            report(MOST, rule.claim)
            return self
        report.changed(RULE, rule.claim)
        return self._replace(rules=(*others, rule))


def changed_mappers(scope: str, mappers: Iterable[Mapper]) -> list[Mapper]:
    """Returns the mappers of a client scope except those that every realm has."""
    return [
        one
        for one in mappers
        if one.protocol_mapper not in _USUAL_KINDS and (scope, one.config.get("claim.name", "")) not in _USUAL_CLAIMS
    ]


def has_short_names(mappers: Iterable[Mapper]) -> bool:
    """Returns whether a claim lists groups by name instead of path."""
    return any(one.protocol_mapper == _GROUPS and one.config.get("full.path") == "false" for one in mappers)


def read_mappers(mappers: Sequence[Mapper], client_id: str, report: Reports) -> TokenClaims:
    claims = TokenClaims()
    for mapper in mappers:
        kind, config, claim = mapper.protocol_mapper, mapper.config, mapper.config.get("claim.name", "")
        if kind in _STANDARD:
            continue
        if claim in _OF_PROFILE:
            claims = _with_usual(claims, mapper, claim, report)
            continue
        if is_placeholder(claim.replace(_OWN_CLIENT, "")):
            report(PLACEHOLDER, f"{mapper.name}: claim.name")
            continue
        if kind == "oidc-audience-mapper":
            _report_audience(config, client_id, report)
        elif kind in _ROLES:
            claims = _with_roles(claims, config, claim, report)
        elif kind == _GROUPS and "." not in claim and claims.groups_claim in ("", claim):
            claims = claims._replace(groups_claim=claim)
        elif (rule := groups_rule(config) if kind == _GROUPS else rule_of(kind, config)) is not None:
            claims = claims.with_rule(rule, report)
        else:
            report(CLAIM, f"{claim or mapper.name}, {kind}")
            continue
        _report_others(mapper, report)
    return claims


def _with_usual(claims: TokenClaims, mapper: Mapper, claim: str, report: Reports) -> TokenClaims:
    """A claim that tokens have under the same name; named where another attribute is in it."""
    kind, attribute = mapper.protocol_mapper, mapper.config.get("user.attribute", "")
    if (rule := rule_of(kind, mapper.config)) is not None:
        return claims.with_rule(rule, report)
    if kind not in _OF_USUAL_CLAIMS or attribute not in ("", _usual_attribute(claim)):
        report(CLAIM, f"{claim}, {kind}{f' of {attribute}' if attribute else ''}")
    return claims


def _report_others(mapper: Mapper, report: Reports) -> None:
    for name, value in mapper.config.items():
        if value and name not in _OF_CONFIGS and not name.endswith("rolePrefix"):
            report(MEMBER, f"{mapper.name}: config.{name}")


def _usual_attribute(claim: str) -> str:
    """Returns the attribute of a user that Keycloak's own scopes put into a standard claim."""
    first, *others = claim.split("_")
    return _ATTRIBUTES.get(claim, first + "".join(one.capitalize() for one in others))


def _report_audience(config: dict[str, str], client_id: str, report: Reports) -> None:
    named = config.get("included.client.audience", "")
    if named and named != client_id:
        report.changed(SAME_PROJECT, named)
    if custom := config.get("included.custom.audience"):
        report(AUDIENCE, custom)


def _with_roles(claims: TokenClaims, config: dict[str, str], claim: str, report: Reports) -> TokenClaims:
    if any(value for name, value in config.items() if name.endswith("rolePrefix")):
        report(PREFIX, claim)
    if "." in claim.replace("\\.", ""):
        report(NESTED, claim)
        return claims
    if claims.roles_claim and claims.roles_claim != claim:
        if (rule := roles_rule(claim_name(config), config)) is not None:
            return claims.with_rule(rule, report)
        report(SECOND, claim)
        return claims
    report.changed(ALL_ROLES, claim)
    return claims._replace(
        roles_claim=claim,
        in_access_token=claims.in_access_token or config.get("access.token.claim") == "true",
        in_id_token=claims.in_id_token or config.get("id.token.claim") == "true",
    )
