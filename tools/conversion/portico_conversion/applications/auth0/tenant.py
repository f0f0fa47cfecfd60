"""Auth0: ``tenant.yaml`` of its deploy CLI (``a0deploy export --format=yaml``).

Client ids are only in exports with ``AUTH0_EXPORT_IDENTIFIERS``, secrets of connections with ``AUTH0_EXPORT_SECRETS``.
Roles of users are in further files (`auth0_roles`).
https://auth0.com/docs/deploy-monitor/deploy-cli-tool/configure-the-deploy-cli
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from portico_contracts.apply import ApiScope, AuthMethodName, PasswordPolicy
from portico_oauth.resources import may_register_resource
from portico_oauth.scopes import may_register_scope

from portico_conversion.applications.auth0.actions import PARTS as CODE
from portico_conversion.applications.auth0.actions import report_code
from portico_conversion.applications.auth0.clients import Client, add_client
from portico_conversion.applications.auth0.connections import Connection, add_connection, report_clients
from portico_conversion.applications.auth0.roles import add_roles
from portico_conversion.applications.draft import Draft, ProjectDraft
from portico_conversion.applications.old_client import OldClient
from portico_conversion.applications.options import DocumentOptions
from portico_conversion.applications.password_length import allowed_length
from portico_conversion.findings import Findings, Place, Reports, SourceError
from portico_conversion.reading.records import Record, items_of, read_record
from portico_conversion.reading.yaml_files import Object, read_yaml, records_in

MORE: Final = "a part of the tenant without counterpart"
AUDIENCE: Final = "an API: applications name it with `resource` instead of `audience`"
SYSTEM_API: Final = "the management API of Auth0"
API: Final = "an identifier that is not an absolute URI, which a resource has to be"
SCOPE: Final = "a permission that cannot be a scope"
PERMISSIONS: Final = "permissions of a role: applications check the role"
CLIENT_GRANTS: Final = "the clients of APIs: every application and service user can request the scopes of an API here"
PASSWORDS: Final = "the strength of passwords: three of four kinds of characters cannot be required"
SECOND_DATABASE: Final = "a second database: the password rules of the first one apply to all users"
FACTORS: Final = "a rule of when a second factor is required"
ATTEMPTS: Final = "brute-force protection: repeated wrong passwords are slowed down without a setting"

THROTTLING: Final = "throttling of addresses: wrong passwords from one address are slowed down without a setting"
NETWORKS: Final = "a network ACL: add rules by network and country (signInFrom)"

_PARTS: Final = (
    "clients resourceServers roles databases connections guardianPolicies attackProtection tenant clientGrants"
)
_KNOWN: Final = frozenset(_PARTS.split())
_ACLS: Final = "networkACLs"
_NAMED: Final = _KNOWN.union(CODE, (_ACLS,))
_PROTECTIONS: Final = {"bruteForceProtection": ATTEMPTS, "suspiciousIpThrottling": THROTTLING}
_ALL: Final = "all-applications"
_LONGEST: Final = 200
_YAML: Final = (".yaml", ".yml")
_STRENGTHS: Final = {"low": 1, "fair": 2, "good": 3, "excellent": 4}


class _Scope(Record, frozen=True, rename=None):
    value: str
    description: str = ""


class _Api(Record, frozen=True, rename=None):
    identifier: str
    name: str = ""
    scopes: list[_Scope] = []
    is_system: bool = False

    @property
    def title(self) -> str:
        return f"API {self.identifier}"


class _Permission(Record, frozen=True, rename=None):
    permission_name: str = ""


class _Role(Record, frozen=True, rename=None):
    name: str
    description: str = ""
    permissions: list[_Permission] = []

    @property
    def title(self) -> str:
        return f"role {self.name}"


class _Complexity(Record, frozen=True, rename=None):
    min_length: int = 8


class _DatabaseOptions(Record, frozen=True):
    password_policy: str = ""
    disable_signup: bool = msgspec.field(default=False, name="disable_signup")
    password_complexity_options: _Complexity = msgspec.field(default=_Complexity(), name="password_complexity_options")

    usual = frozenset({"mfa", "import_mode"})


class _Database(Record, frozen=True, rename=None):
    name: str
    enabled_clients: list[str] | None = None
    options: _DatabaseOptions = _DatabaseOptions()

    usual = frozenset({"strategy", "is_domain_connection", "realms"})

    @property
    def title(self) -> str:
        return f"database {self.name}"


class _Guardian(Record, frozen=True, rename=None):
    policies: Any = None

    @property
    def title(self) -> str:
        return "guardianPolicies"


class _Acl(Record, frozen=True, rename=None):
    """What is matched, or everything else, is blocked, logged or redirected."""

    description: str = ""
    rule: Any = None

    usual = frozenset({"active", "priority"})

    @property
    def title(self) -> str:
        return f"network ACL {self.description}"

    @property
    def places(self) -> str:
        rule = self.rule if isinstance(self.rule, Mapping) else {}
        found = []
        for name in ("match", "not_match"):
            compared = rule.get(name)
            for kind, values in compared.items() if isinstance(compared, Mapping) else ():
                texts = [str(one) for one in items_of(values)] or [str(values)]
                found.append(f"{name} {kind} {' '.join(texts)}"[:_LONGEST])
        return ", ".join(found)


class _Tenant(Record, frozen=True, rename=None):
    friendly_name: str = ""

    @property
    def title(self) -> str:
        return "tenant"


def read_drafts(files: Sequence[Path], options: DocumentOptions, findings: Findings) -> Iterator[Draft]:
    """Raises `SourceError` for a file that is not a tenant. With `grants`, files that are not YAML have users or roles."""
    client_ids: dict[str, Place] = {}
    people = [path for path in files if path.suffix not in _YAML] if options.grants else []
    tenants = [path for path in files if path not in people]
    if people and len(tenants) != 1:
        raise SourceError("The files", "Give tenant.yaml of one tenant with the files of its users and roles.")
    for path in tenants:
        document = read_yaml(path)
        if not _KNOWN & {*document}:
            raise SourceError(path.name, "The file has no clients: it is not an export of the Auth0 deploy CLI.")
        tenant = read_record(document.get("tenant") or {}, _Tenant, document.place, findings) or _Tenant()
        name = tenant.friendly_name or path.stem
        draft = Draft(options.org_id or path.stem, name, findings, options.seen, client_ids)
        _fill(draft, document)
        if options.grants:
            add_roles(draft, people)
        yield draft


def _fill(draft: Draft, document: Object) -> None:
    findings, project = draft.findings, draft.project(draft.name, f"{draft.id}-project")
    project.role_assertion = True
    for value, api in records_in(document.get("resourceServers"), _Api, findings):
        _add_api(draft, project, value.place, api)
    for value, role in records_in(document.get("roles"), _Role, findings):
        draft.add_role(project, value.place, role.name, role.description)
        if role.permissions:
            names = ", ".join(one.permission_name for one in role.permissions)
            findings.not_moved(value.place, role.title, PERMISSIONS, names)
    for value, client in records_in(document.get("clients"), Client, findings):
        add_client(draft, project, value, client)
    for value, connection in records_in(document.get("connections"), Connection, findings):
        add_connection(draft, value, connection)
    _add_rules(document, draft)
    report_code(document, findings)
    if grants := document.get("clientGrants"):
        findings.not_moved(document.place, "", CLIENT_GRANTS, f"clientGrants, {len(items_of(grants))} entries")
    for name, value in document.items():
        if name not in _NAMED and value:
            findings.not_moved(document.place, "", MORE, name)


def _add_api(draft: Draft, project: ProjectDraft, place: Place, api: _Api) -> None:
    report = Reports(draft.findings, place, api.title)
    if api.is_system or api.identifier.endswith(".auth0.com/api/v2/"):
        draft.findings.counted(SYSTEM_API)
        return
    # Client ids and resources share one space.
    client_id = f"{draft.id}-{api.name or api.identifier}"
    old = OldClient(place=place, client_id=client_id, name=api.name, method=AuthMethodName.BASIC)
    number = len(project.api_apps)
    draft.add_api(project, old)
    if len(project.api_apps) == number:
        return
    scopes = [one for one in api.scopes if may_register_scope(one.value)]
    for one in api.scopes:
        if one not in scopes:
            report(SCOPE, one.value)
    is_resource = may_register_resource(api.identifier)
    report.changed(AUDIENCE) if is_resource else report(API)
    project.api_apps[number] = msgspec.structs.replace(
        project.api_apps[number],
        resources=(api.identifier,) if is_resource else (),
        scopes=tuple(ApiScope(scope=one.value, description=one.description[:1_000]) for one in scopes),
    )


def _add_rules(document: Object, draft: Draft) -> None:
    for value, database in records_in(document.get("databases"), _Database, draft.findings):
        about = value.place, database.title
        report = Reports(draft.findings, *about)
        if draft.password_policy is None:
            _add_passwords(draft, report, database.options)
        else:
            report(SECOND_DATABASE)
        report_clients(draft, database.enabled_clients, report)
    guardian = read_record(document.get("guardianPolicies") or {}, _Guardian, document.place, draft.findings)
    policies = items_of(guardian.policies) if guardian else ()
    for policy in policies:
        if policy != _ALL:
            draft.findings.not_moved(document.place, "guardianPolicies", FACTORS, str(policy))
    if _ALL in policies:
        draft.login["force_mfa"] = True
    attacks: Any = document.get("attackProtection")
    for name, value in attacks.items() if isinstance(attacks, Mapping) else ():
        if value:
            reason = _PROTECTIONS.get(name, MORE)
            draft.findings.not_moved(document.place, "attackProtection", reason, name if reason == MORE else "")
    for value, acl in records_in(document.get(_ACLS), _Acl, draft.findings):
        draft.findings.not_moved(value.place, acl.title, NETWORKS, acl.places)


def _add_passwords(draft: Draft, report: Reports, options: _DatabaseOptions) -> None:
    draft.login["may_register"] = not options.disable_signup
    strength = _STRENGTHS.get(options.password_policy, 0)
    if strength > _STRENGTHS["fair"]:
        report(PASSWORDS, options.password_policy)
    is_fair = strength == _STRENGTHS["fair"]
    length = allowed_length(options.password_complexity_options.min_length, report)
    draft.password_policy = PasswordPolicy(
        min_length=max(length, 10) if strength == _STRENGTHS["excellent"] else length,
        has_lowercase=is_fair,
        has_uppercase=is_fair,
        has_number=is_fair,
    )
