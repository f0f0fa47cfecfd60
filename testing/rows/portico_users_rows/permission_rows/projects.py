"""Projects, their roles, their grants to other organizations, and their applications."""

from __future__ import annotations

from portico_users_rows.permission_rows.row import (
    ABSENT,
    NOT_NOW,
    OF_OWN_ORG,
    READERS,
    READS_OWN_ORG,
    WRITERS,
    Row,
    body,
    but,
    nothing,
)
from portico_users_rows.permission_rows.service_users import TRUSTED

_PROJECT = "portico.management.v1.ProjectService"
_GRANT = "portico.management.v1.ProjectGrantService"
_APP = "portico.management.v1.AppService"

PROJECT = "/management/v1/projects/p-{caller}-{tag}"
_MADE = f"{PROJECT}/grants/pg-{{caller}}-{{tag}}"
RECEIVED = "projects/src-{caller}-{tag}/grants/got-{caller}-{tag}"
"""A grant of another organization's project to the organization that owns the other objects."""

_GRANTED = f"/management/v1/granted_{RECEIVED}"
_OIDC = f"{PROJECT}/apps/app-{{caller}}-{{tag}}"
_API = f"{PROJECT}/apps/api-{{caller}}-{{tag}}"
_KEY = f"{_API}/keys/key-{{caller}}-{{tag}}"
_CODE = body(responseTypes=["OIDC_RESPONSE_TYPE_CODE"], grantTypes=["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"])
_RULES = body(
    claimRules=[{"claim": "team", "source": "CLAIM_SOURCE_GROUPS", "in": ["CLAIM_PLACE_USERINFO"]}],
)

PROJECT_ROWS = {
    f"{_PROJECT}.AddProject": Row("", lambda _managed, caller: {"name": f"by {caller}"}, OF_OWN_ORG),
    f"{_PROJECT}.SetUpProject": Row(
        "", lambda _managed, caller: {"name": f"set up by {caller}", "apiApp": {"name": "new"}}, OF_OWN_ORG
    ),
    f"{_PROJECT}.GetProjectByID": Row(PROJECT, nothing, READERS),
    f"{_PROJECT}.UpdateProject": Row(PROJECT, lambda _managed, caller: {"name": f"by {caller}"}, WRITERS),
    f"{_PROJECT}.SetProjectClaimRules": Row(f"{PROJECT}/claim_rules", _RULES, WRITERS),
    f"{_PROJECT}.DeactivateProject": Row(f"{PROJECT}/_deactivate", nothing, WRITERS),
    f"{_PROJECT}.ReactivateProject": Row(f"{PROJECT}/_reactivate", nothing, but(NOT_NOW, WRITERS)),
    f"{_PROJECT}.RemoveProject": Row(PROJECT, nothing, WRITERS),
    f"{_PROJECT}.ListProjects": Row("", nothing, READS_OWN_ORG),
    f"{_PROJECT}.AddProjectRole": Row(f"{PROJECT}/roles", body(roleKey="new"), WRITERS),
    f"{_PROJECT}.BulkAddProjectRoles": Row(f"{PROJECT}/roles/_bulk", body(roles=[{"key": "new"}]), WRITERS),
    f"{_PROJECT}.UpdateProjectRole": Row(f"{PROJECT}/roles/reader", body(group="new"), WRITERS),
    f"{_PROJECT}.RemoveProjectRole": Row(f"{PROJECT}/roles/reader", nothing, WRITERS),
    f"{_PROJECT}.ListProjectRoles": Row(f"{PROJECT}/roles/_search", nothing, READERS),
}

PROJECT_GRANT_ROWS = {
    f"{_GRANT}.AddProjectGrant": Row(
        f"{PROJECT}/grants", lambda managed, _caller: {"grantedOrgId": managed.other_org_id}, WRITERS
    ),
    f"{_GRANT}.GetProjectGrantByID": Row(_MADE, nothing, READERS),
    f"{_GRANT}.UpdateProjectGrant": Row(_MADE, nothing, WRITERS),
    f"{_GRANT}.DeactivateProjectGrant": Row(f"{_MADE}/_deactivate", nothing, WRITERS),
    f"{_GRANT}.ReactivateProjectGrant": Row(f"{_MADE}/_reactivate", nothing, but(NOT_NOW, WRITERS)),
    f"{_GRANT}.RemoveProjectGrant": Row(_MADE, nothing, WRITERS),
    f"{_GRANT}.ListProjectGrants": Row(f"{PROJECT}/grants/_search", nothing, READERS),
    f"{_GRANT}.ListAllProjectGrants": Row("", nothing, READS_OWN_ORG),
    f"{_GRANT}.ListGrantedProjects": Row("", nothing, READS_OWN_ORG),
    f"{_GRANT}.GetGrantedProjectByID": Row(_GRANTED, nothing, READERS),
    f"{_GRANT}.ListGrantedProjectRoles": Row(f"{_GRANTED}/roles/_search", nothing, READERS),
}
"""One grant that each caller changes, and one received by their organization."""

APP_ROWS = {
    f"{_APP}.AddOIDCApp": Row(
        f"{PROJECT}/apps/oidc", lambda managed, caller: {"name": "new", **_CODE(managed, caller)}, WRITERS
    ),
    f"{_APP}.AddAPIApp": Row(f"{PROJECT}/apps/api", body(name="new"), WRITERS),
    f"{_APP}.GetAppByID": Row(_OIDC, nothing, READERS),
    f"{_APP}.UpdateApp": Row(_OIDC, body(name="new"), WRITERS),
    f"{_APP}.DeactivateApp": Row(f"{_OIDC}/_deactivate", nothing, WRITERS),
    f"{_APP}.ReactivateApp": Row(f"{_OIDC}/_reactivate", nothing, but(NOT_NOW, WRITERS)),
    f"{_APP}.RemoveApp": Row(_OIDC, nothing, WRITERS),
    f"{_APP}.ListApps": Row(f"{PROJECT}/apps/_search", nothing, READERS),
    f"{_APP}.ListOrgApps": Row("", nothing, READS_OWN_ORG),
    f"{_APP}.ListAppAPIs": Row(f"{_OIDC}/apis", nothing, READERS),
    "portico.management.v1.AgentService.ListAppAgents": Row(f"{_OIDC}/agents/_search", nothing, READERS),
    f"{_APP}.AddAppAPI": Row(f"{_OIDC}/apis", body(clientId="api"), WRITERS),
    f"{_APP}.RemoveAppAPI": Row(f"{_OIDC}/apis/api", nothing, but(NOT_NOW, WRITERS)),
    f"{_APP}.UpdateOIDCAppConfig": Row(f"{_OIDC}/oidc_config", _CODE, WRITERS),
    f"{_APP}.UpdateAPIAppConfig": Row(f"{_API}/api_config", nothing, WRITERS),
    f"{_APP}.SetAPIScopes": Row(f"{_API}/api_scopes", body(scopes=[{"scope": "orders.read"}]), WRITERS),
    f"{_APP}.SetAppClaimRules": Row(f"{_OIDC}/claim_rules", _RULES, WRITERS),
    f"{_APP}.SetAppTrustedWorkloads": Row(f"{_API}/trusted_workloads", TRUSTED, WRITERS),
    f"{_APP}.GetAppTrustedWorkloads": Row(f"{_API}/trusted_workloads", nothing, READERS),
    f"{_APP}.PreviewTokens": Row(f"{_OIDC}/tokens/_preview", body(userId="unknown"), but(ABSENT, READERS)),
    f"{_APP}.RegenerateOIDCClientSecret": Row(f"{_OIDC}/oidc_config/_generate_client_secret", nothing, WRITERS),
    f"{_APP}.RegenerateAPIClientSecret": Row(
        f"{_API}/api_config/_generate_client_secret", nothing, but(NOT_NOW, WRITERS)
    ),
    f"{_APP}.RemovePreviousClientSecret": Row(f"{_OIDC}/previous_secret", nothing, but(NOT_NOW, WRITERS)),
    f"{_APP}.AddAppKey": Row(f"{_API}/keys", body(type="KEY_TYPE_JSON"), WRITERS),
    f"{_APP}.GetAppKey": Row(_KEY, nothing, READERS),
    f"{_APP}.RemoveAppKey": Row(_KEY, nothing, WRITERS),
    f"{_APP}.ListAppKeys": Row(f"{_API}/keys/_search", nothing, READERS),
}
