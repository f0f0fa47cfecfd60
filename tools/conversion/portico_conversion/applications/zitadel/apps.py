"""Projects, roles, applications and service users of a ZITADEL organization; its enumerations have our names."""

from __future__ import annotations

import base64
import binascii
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from portico_contracts.apply import (
    AccessTokenTypeName,
    ApiAuthMethodName,
    AppTypeName,
    AuthMethodName,
    GrantTypeName,
    Key,
    PrivateLabelingSetting,
    ProjectGrant,
    ResponseTypeName,
)
from portico_contracts.apply.vocabulary import ClockSkew

from portico_conversion.applications.draft import Draft, ProjectDraft
from portico_conversion.applications.old_client import OldClient
from portico_conversion.findings import Findings, Place
from portico_conversion.reading.records import Record, read_record

SKEW: Final = "a clock skew of more than five seconds"
KEY: Final = "a key that is not PEM in base64"

_SKEWS: Final = frozenset(ClockSkew.__args__)  # type: ignore[attr-defined] # a Literal

Rows = Mapping[str, Sequence[tuple[Place, Any]]]


class _Project(Record, frozen=True):
    name: str
    project_role_assertion: bool = False
    project_role_check: bool = False
    has_project_check: bool = False
    private_labeling_setting: PrivateLabelingSetting = PrivateLabelingSetting.UNSPECIFIED


class _ProjectRow(Record, frozen=True):
    project_id: str
    project: _Project

    @property
    def title(self) -> str:
        return f"project {self.project.name}"


class _Role(Record, frozen=True):
    project_id: str
    role_key: str
    display_name: str = ""
    group: str = ""

    @property
    def title(self) -> str:
        return f"role {self.role_key}"


class _OidcApp(Record, frozen=True):
    project_id: str
    name: str
    redirect_uris: list[str] = []
    response_types: tuple[ResponseTypeName, ...] = (ResponseTypeName.CODE,)
    grant_types: tuple[GrantTypeName, ...] = (GrantTypeName.AUTHORIZATION_CODE,)
    app_type: AppTypeName = AppTypeName.WEB
    auth_method_type: AuthMethodName = AuthMethodName.BASIC
    post_logout_redirect_uris: list[str] = []
    dev_mode: bool = False
    access_token_type: AccessTokenTypeName = AccessTokenTypeName.BEARER
    access_token_role_assertion: bool = False
    id_token_role_assertion: bool = False
    id_token_userinfo_assertion: bool = False
    clock_skew: str = "0s"
    additional_origins: list[str] = []
    back_channel_logout_uri: str = ""

    usual = frozenset({"version", "skipNativeAppSuccessPage", "loginVersion"})


class _OidcRow(Record, frozen=True):
    app_id: str
    app: _OidcApp

    @property
    def title(self) -> str:
        return f"client {self.app.name}"


class _ApiApp(Record, frozen=True):
    project_id: str
    name: str
    auth_method_type: ApiAuthMethodName = ApiAuthMethodName.BASIC


class _ApiRow(Record, frozen=True):
    app_id: str
    app: _ApiApp

    @property
    def title(self) -> str:
        return f"client {self.app.name}"


class _AppKey(Record, frozen=True):
    id: str
    app_id: str
    client_id: str = ""
    expiration_date: str = ""
    public_key: str = ""


class _Machine(Record, frozen=True):
    user_name: str
    name: str = ""
    description: str = ""
    access_token_type: str = ""


class _MachineRow(Record, frozen=True):
    user_id: str
    user: _Machine

    @property
    def title(self) -> str:
        return f"service user {self.user.user_name}"


class _MachineKey(Record, frozen=True):
    key_id: str
    user_id: str
    expiration_date: str = ""
    public_key: str = ""


class _Granted(Record, frozen=True):
    project_id: str
    granted_org_id: str
    role_keys: list[str] = []


class _GrantRow(Record, frozen=True):
    grant_id: str
    project_grant: _Granted


class _Config(Record, frozen=True):
    client_id: str = ""


class _Listed(Record, frozen=True):
    id: str
    state: str = ""
    oidc_config: _Config = _Config()
    api_config: _Config = _Config()


class ClientIds(dict[str, str]):
    """Client ids by the ids of their applications; `inactive` are the ids of those that are deactivated."""

    def __init__(self) -> None:
        self.inactive: set[str] = set()

    def add(self, place: Place, value: Any, findings: Findings) -> None:
        if listed := read_record(value, _Listed, place, findings):
            self[listed.id] = listed.oidc_config.client_id or listed.api_config.client_id
            if listed.state == "APP_STATE_INACTIVE":
                self.inactive.add(listed.id)


def add_apps(draft: Draft, rows: Rows, client_ids: ClientIds) -> None:
    findings = draft.findings
    for place, value in rows.get("projects", ()):
        if row := read_record(value, _ProjectRow, place, findings):
            _add_project(draft, row)
    for place, value in rows.get("projectRoles", ()):
        if role := read_record(value, _Role, place, findings):
            draft.add_role(draft.project("", role.project_id), place, role.role_key, role.display_name, role.group)
    _add_project_grants(draft, rows)
    keys = _keys(draft, rows, client_ids)
    _add_oidc_apps(draft, rows, client_ids, keys)
    for place, value in rows.get("apiApps", ()):
        if api := read_record(value, _ApiRow, place, findings):
            _add_api(draft, place, api, client_ids, keys[api.app_id])


def _add_oidc_apps(draft: Draft, rows: Rows, client_ids: ClientIds, keys: defaultdict[str, list[Key]]) -> None:
    for place, value in rows.get("oidcApps", ()):
        if row := read_record(value, _OidcRow, place, draft.findings):
            _add_oidc(draft, place, row, client_ids, keys[row.app_id])


def _add_project_grants(draft: Draft, rows: Rows) -> None:
    for place, value in rows.get("projectGrants", ()):
        if grant := read_record(value, _GrantRow, place, draft.findings):
            granted = grant.project_grant
            draft.project("", granted.project_id).grants.append(
                ProjectGrant(id=grant.grant_id, organization=granted.granted_org_id, role_keys=tuple(granted.role_keys))
            )


def _add_project(draft: Draft, row: _ProjectRow) -> None:
    project, old = draft.project(row.project.name, row.project_id), row.project
    project.name, project.labeling = old.name, old.private_labeling_setting
    project.role_assertion, project.role_check = old.project_role_assertion, old.project_role_check
    project.project_check = old.has_project_check


def _keys(draft: Draft, rows: Rows, client_ids: ClientIds) -> defaultdict[str, list[Key]]:
    keys: defaultdict[str, list[Key]] = defaultdict(list)
    for place, value in rows.get("appKeys", ()):
        if key := read_record(value, _AppKey, place, draft.findings):
            if key.client_id:
                client_ids.setdefault(key.app_id, key.client_id)
            keys[key.app_id] += _key(draft, place, key.id, key.public_key, key.expiration_date)
    return keys


def _key(draft: Draft, place: Place, id: str, public_key: str, expiration_date: str) -> list[Key]:
    try:
        pem = base64.b64decode(public_key, validate=True).decode("ascii")
        if "-----BEGIN" not in pem:
            raise ValueError("not PEM")
    except (binascii.Error, ValueError):
        draft.findings.not_moved(place, f"key {id}", KEY)
        return []
    return [Key(id=id, public_key=pem, expiration_date=expiration_date)]


def _add_oidc(draft: Draft, place: Place, row: _OidcRow, client_ids: ClientIds, keys: Sequence[Key]) -> None:
    app, project = row.app, draft.project("", row.app.project_id)
    old = OldClient(
        place=place,
        id=row.app_id,
        client_id=client_ids.get(row.app_id, ""),
        active=row.app_id not in client_ids.inactive,
        name=app.name,
        method=app.auth_method_type,
        redirect_uris=app.redirect_uris,
        post_logout_uris=app.post_logout_redirect_uris,
        origins=app.additional_origins,
        grant_types=app.grant_types,
        app_type=app.app_type,
        jwt_access_tokens=app.access_token_type is AccessTokenTypeName.JWT,
        claims_in_id_token=app.id_token_userinfo_assertion,
        roles_in_access_token=app.access_token_role_assertion,
        roles_in_id_token=app.id_token_role_assertion,
        logout_uri=app.back_channel_logout_uri,
        keys=tuple(keys),
        dev_mode=app.dev_mode,
    )
    number = len(project.oidc_apps)
    draft.add_oidc(project, old)
    if len(project.oidc_apps) > number:
        if app.clock_skew not in _SKEWS:
            draft.findings.not_moved(place, old.shown, SKEW, app.clock_skew)
        skew: Any = app.clock_skew if app.clock_skew in _SKEWS else "5s"
        added = msgspec.structs.replace(
            project.oidc_apps[number], response_types=tuple(app.response_types), clock_skew=skew
        )
        project.oidc_apps[number] = added


def _add_api(draft: Draft, place: Place, row: _ApiRow, client_ids: ClientIds, keys: Sequence[Key]) -> None:
    has_key = row.app.auth_method_type is ApiAuthMethodName.PRIVATE_KEY_JWT
    method = AuthMethodName.PRIVATE_KEY_JWT if has_key else AuthMethodName.BASIC
    project: ProjectDraft = draft.project("", row.app.project_id)
    old = OldClient(
        place=place,
        id=row.app_id,
        client_id=client_ids.get(row.app_id, ""),
        active=row.app_id not in client_ids.inactive,
        name=row.app.name,
        method=method,
        keys=tuple(keys),
    )
    draft.add_api(project, old)


def add_machines(draft: Draft, rows: Rows) -> None:
    keys: defaultdict[str, list[Key]] = defaultdict(list)
    for place, value in rows.get("machineKeys", ()):
        if key := read_record(value, _MachineKey, place, draft.findings):
            keys[key.user_id] += _key(draft, place, key.key_id, key.public_key, key.expiration_date)
    for place, value in rows.get("machineUsers", ()):
        if row := read_record(value, _MachineRow, place, draft.findings):
            has_key = bool(keys[row.user_id])
            old = OldClient(
                place=place,
                id=row.user_id,
                client_id=row.user.user_name,
                name=row.user.name,
                description=row.user.description,
                method=AuthMethodName.PRIVATE_KEY_JWT if has_key else AuthMethodName.BASIC,
                jwt_access_tokens=row.user.access_token_type == "ACCESS_TOKEN_TYPE_JWT",
                keys=tuple(keys[row.user_id]),
            )
            draft.add_service_user(old)
