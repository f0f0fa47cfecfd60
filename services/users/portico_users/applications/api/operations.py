from __future__ import annotations

from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.applications.api import applications as apps
from portico_users.applications.api import trusted_workloads as workloads
from portico_users.applications.api.applications import (
    only_owners_change_management_access,
    with_api_settings,
    with_claim_rules,
    with_oidc_settings,
    with_scopes,
)
from portico_users.applications.api.apps_of_apis import list_app_apis, list_org_apps, with_api, without_api
from portico_users.applications.api.metadata_apps import list_metadata_apps
from portico_users.applications.api.token_previews import preview_tokens
from portico_users.applications.edit_apps import AppKeys, RegenerateAppSecret, RemoveApp, UpdateApp
from portico_users.applications.targets import named_api_app, named_app, named_oidc_app
from portico_users.management_api.protobuf.changing import changing, renamed
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import own_or_named_org
from portico_users.projects.targets import keep_console, named_project
from portico_users.states import Deactivate, Reactivate

_OF: Final = "portico.management.v1.AppService"
_READ: Final = Permission.PROJECT_APP_READ
_WRITE: Final = Permission.PROJECT_APP_WRITE

APPS: Final[tuple[Operation, ...]] = (
    Operation(
        f"{_OF}.AddOIDCApp", _WRITE, named_project, apps.add_oidc_app, guard=only_owners_change_management_access
    ),
    Operation(f"{_OF}.AddAPIApp", _WRITE, named_project, apps.add_api_app),
    Operation(f"{_OF}.GetAppByID", _READ, named_app, apps.get_app_by_id),
    changing(f"{_OF}.UpdateApp", _WRITE, named_app, UpdateApp, after=renamed),
    changing(f"{_OF}.DeactivateApp", _WRITE, named_app, Deactivate, guard=keep_console),
    changing(f"{_OF}.ReactivateApp", _WRITE, named_app, Reactivate),
    changing(f"{_OF}.RemoveApp", _WRITE, named_app, RemoveApp, guard=keep_console),
    Operation(f"{_OF}.ListApps", _READ, named_project, apps.list_apps),
    changing(
        f"{_OF}.UpdateOIDCAppConfig",
        _WRITE,
        named_oidc_app,
        UpdateApp,
        after=with_oidc_settings,
        guard=only_owners_change_management_access,
    ),
    changing(f"{_OF}.UpdateAPIAppConfig", _WRITE, named_api_app, UpdateApp, after=with_api_settings),
    changing(f"{_OF}.SetAPIScopes", _WRITE, named_api_app, UpdateApp, after=with_scopes),
    changing(f"{_OF}.SetAppClaimRules", _WRITE, named_oidc_app, UpdateApp, after=with_claim_rules),
    changing(f"{_OF}.SetAppTrustedWorkloads", _WRITE, named_app, UpdateApp, after=workloads.with_workloads),
    Operation(f"{_OF}.GetAppTrustedWorkloads", _READ, named_app, workloads.get_trusted_workloads),
    Operation(f"{_OF}.PreviewTokens", _READ, named_oidc_app, preview_tokens),
    Operation(f"{_OF}.ListOrgApps", _READ, own_or_named_org, list_org_apps),
    Operation(f"{_OF}.ListAppAPIs", _READ, named_app, list_app_apis),
    changing(f"{_OF}.AddAppAPI", _WRITE, named_oidc_app, UpdateApp, after=with_api, changes_part=True),
    changing(f"{_OF}.RemoveAppAPI", _WRITE, named_oidc_app, UpdateApp, after=without_api, changes_part=True),
    Operation(f"{_OF}.RegenerateOIDCClientSecret", _WRITE, named_oidc_app, apps.regenerate_oidc_client_secret),
    Operation(f"{_OF}.RegenerateAPIClientSecret", _WRITE, named_api_app, apps.regenerate_api_client_secret),
    changing(
        f"{_OF}.RemovePreviousClientSecret",
        _WRITE,
        named_app,
        RegenerateAppSecret,
        act=RegenerateAppSecret.remove_previous,
    ),
    Operation(f"{_OF}.AddAppKey", _WRITE, named_app, apps.add_app_key, changes_part=True),
    Operation(f"{_OF}.GetAppKey", _READ, named_app, apps.get_app_key),
    changing(f"{_OF}.RemoveAppKey", _WRITE, named_app, AppKeys, "key_id", act=AppKeys.remove, changes_part=True),
    Operation(f"{_OF}.ListAppKeys", _READ, named_app, apps.list_app_keys),
)

METADATA_APPS: Final = (
    Operation(
        "portico.management.v1.PolicyService.ListMetadataApps",
        Permission.POLICY_EFFECT_READ,
        own_or_named_org,
        list_metadata_apps,
    ),
)
