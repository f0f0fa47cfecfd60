from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from portico_contracts.apply import (
    ApiApp,
    Domain,
    EndUser,
    Group,
    JwtIdp,
    LdapIdp,
    LockoutPolicy,
    LoginPolicy,
    Member,
    Oauth2Idp,
    OidcApp,
    OidcIdp,
    Organization,
    PasswordAgePolicy,
    PasswordPolicy,
    PrivateLabelingSetting,
    Project,
    ProjectGrant,
    Role,
    ServiceUser,
)
from portico_contracts.catalogue import MAX_PAYLOAD

from portico_conversion.applications.old_client import OldClient, api_app, oidc_app, service_user
from portico_conversion.findings import Findings, Place

TAKEN: Final = "the client id is already used by another client"
NO_ID: Final = "the export has no client id: a new one is generated, or add a file with it"
BAD_ID: Final = "a client id with more than 200 or with control characters"
BAD_ROLE: Final = "a role whose name has more than 200 characters or surrounding spaces"
BAD_GROUP: Final = "a group whose name has more than 200 characters or surrounding spaces"
TOO_LARGE: Final = "It is too large for `portico apply`."
MOST_ROLES: Final = "more than 1,000 roles of one project"

LARGEST: Final = MAX_PAYLOAD - 64 * 1024
"""Bytes of a document that fit into a message."""

_LONGEST: Final = 200
_ROLES: Final = 1_000

Seen = Mapping[str, Collection[str]]
"""Redirect URIs of sign-ins that worked at the source, by client id."""


@dataclass(slots=True)
class ProjectDraft:
    name: str
    id: str = ""
    role_assertion: bool = False
    role_check: bool = False
    project_check: bool = False
    roles: dict[str, Role] = field(default_factory=dict)
    oidc_apps: list[OidcApp] = field(default_factory=list)
    api_apps: list[ApiApp] = field(default_factory=list)
    grants: list[ProjectGrant] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    labeling: PrivateLabelingSetting = PrivateLabelingSetting.UNSPECIFIED


@dataclass(slots=True)
class Draft:
    """One organization of the document, or its instance. `client_ids` are those of all organizations, by their places."""

    id: str
    name: str
    findings: Findings
    seen: Seen = field(default_factory=dict)
    client_ids: dict[str, Place] = field(default_factory=dict)
    of_instance: bool = False
    projects: list[ProjectDraft] = field(default_factory=list)
    service_users: list[ServiceUser] = field(default_factory=list)
    humans: list[EndUser] = field(default_factory=list)
    size_of_humans: int = 0
    groups: list[Group] = field(default_factory=list)
    oidc_idps: list[OidcIdp] = field(default_factory=list)
    oauth2_idps: list[Oauth2Idp] = field(default_factory=list)
    ldap_idps: list[LdapIdp] = field(default_factory=list)
    jwt_idps: list[JwtIdp] = field(default_factory=list)
    login: dict[str, Any] = field(default_factory=dict)
    password_policy: PasswordPolicy | None = None
    password_age_policy: PasswordAgePolicy | None = None
    lockout_policy: LockoutPolicy | None = None
    domains: list[Domain] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    _names: Counter[str] = field(default_factory=Counter)

    def project(self, name: str, id: str = "") -> ProjectDraft:
        found = next((one for one in self.projects if (id and one.id == id) or (not id and one.name == name)), None)
        if found is None:
            found = ProjectDraft(name, id)
            self.projects.append(found)
        return found

    def add_role(self, project: ProjectDraft, place: Place, key: str, display_name: str = "", group: str = "") -> bool:
        if not _is_name(key) or key in (".", ".."):
            self.findings.not_moved(place, f"role {key}", BAD_ROLE)
        elif key not in project.roles and len(project.roles) == _ROLES:
            self.findings.not_moved(place, f"role {key}", MOST_ROLES)
        else:
            shown = " ".join(display_name.split())[:_LONGEST]
            project.roles.setdefault(key, Role(role_key=key, display_name=shown, group=group[:_LONGEST]))
            return True
        return False

    def add_group(self, place: Place, group: Group) -> bool:
        if not _is_name(group.name):
            self.findings.not_moved(place, f"group {group.name}", BAD_GROUP)
            return False
        self.groups.append(group)
        return True

    def add_oidc(self, project: ProjectDraft, old: OldClient) -> None:
        if self._is_free(old):
            project.oidc_apps.append(
                oidc_app(old, self._app_name(project, old), self.seen.get(old.client_id, ()), self.findings)
            )

    def add_api(self, project: ProjectDraft, old: OldClient) -> None:
        if self._is_free(old):
            project.api_apps.append(api_app(old, self._app_name(project, old), self.findings))

    def add_service_user(self, old: OldClient) -> None:
        if self._is_free(old):
            self.service_users.append(service_user(old, self.findings))

    def _is_free(self, old: OldClient) -> bool:
        if not old.client_id:
            self.findings.not_moved(old.place, old.shown, NO_ID)
            return True
        if len(old.client_id) > _LONGEST or re.search(r"[\x00-\x1f\x7f-\x9f]", old.client_id):
            self.findings.left_out(old.place, old.shown, BAD_ID)
            return False
        if old.client_id in self.client_ids:
            self.findings.left_out(old.place, old.shown, f"{TAKEN}, at {self.client_ids[old.client_id]}")
            return False
        self.client_ids[old.client_id] = old.place
        return True

    def _app_name(self, project: ProjectDraft, old: OldClient) -> str:
        """Names of applications are unique within a project; client ids are."""
        name = " ".join(old.name.split()) or old.client_id
        names = {*(app.name for app in project.oidc_apps), *(app.name for app in project.api_apps)}
        return (name if name not in names else f"{name} ({old.client_id})")[:_LONGEST]

    @property
    def idp_names(self) -> tuple[str, ...]:
        idps: Iterable[OidcIdp | Oauth2Idp | LdapIdp | JwtIdp] = (
            *self.oidc_idps,
            *self.oauth2_idps,
            *self.ldap_idps,
            *self.jwt_idps,
        )
        return tuple(idp.id or idp.name for idp in idps if idp.state is None)

    def of_document(self, *, grants: bool) -> dict[str, Any]:
        """Returns the members of the document for a draft of the instance."""
        return {"members": tuple(self.members) or None} if grants else self._idps()

    def _idps(self) -> dict[str, Any]:
        return {
            "oidc_idps": tuple(self.oidc_idps) or None,
            "oauth2_idps": tuple(self.oauth2_idps) or None,
            "ldap_idps": tuple(self.ldap_idps) or None,
            "jwt_idps": tuple(self.jwt_idps) or None,
        }

    def grants_only(self) -> Organization:
        """Returns the users with roles, and nothing that an earlier document set except roles of grants with members."""
        projects = tuple(
            msgspec.structs.replace(
                _project(one),
                roles=None,
                oidc_apps=None,
                api_apps=None,
                grants=tuple(grant for grant in one.grants if grant.members) or None,
            )
            for one in self.projects
        )
        return Organization(
            id=self.id,
            name=self.name,
            projects=projects or None,
            humans=tuple(self.humans) or None,
            service_users=tuple(one for one in self.service_users if one.grants or one.groups) or None,
            members=tuple(self.members) or None,
        )

    def organization(self) -> Organization:
        login = {**({"idps": self.idp_names} if self.idp_names else {}), **self.login}
        return Organization(
            id=self.id,
            name=self.name,
            projects=tuple(_project(one) for one in self.projects) or None,
            groups=tuple(self.groups) or None,
            service_users=tuple(self.service_users) or None,
            **self._idps(),
            domains=tuple(self.domains) or None,
            login_policy=LoginPolicy(**login) if login else None,
            password_policy=self.password_policy,
            password_age_policy=self.password_age_policy,
            lockout_policy=self.lockout_policy,
        )


def _project(draft: ProjectDraft) -> Project:
    return Project(
        name=draft.name,
        id=draft.id or None,
        project_role_assertion=draft.role_assertion,
        project_role_check=draft.role_check,
        has_project_check=draft.project_check,
        roles=tuple(draft.roles.values()) or None,
        oidc_apps=tuple(draft.oidc_apps) or None,
        api_apps=tuple(draft.api_apps) or None,
        grants=tuple(draft.grants) or None,
        members=tuple(draft.members) or None,
        private_labeling_setting=draft.labeling,
    )


def _is_name(text: str) -> bool:
    return text.strip() == text != "" and len(text) <= _LONGEST and not re.search(r"[\x00-\x1f\x7f-\x9f]", text)
