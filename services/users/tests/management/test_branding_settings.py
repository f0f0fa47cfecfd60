from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import GET_LOGIN_POLICY, Branding, GetLoginPolicy, PrivateLabeling
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

LINKS = {
    "logoUri": "https://shop.example/logo.png",
    "policyUri": "https://shop.example/privacy",
    "tosUri": "https://shop.example/terms",
}
CODE = {
    "redirectUris": ["https://shop.example/cb"],
    "responseTypes": ["OIDC_RESPONSE_TYPE_CODE"],
    "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
}
ENFORCE = "PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY"
BY_USER = "PRIVATE_LABELING_SETTING_ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY"


async def on_apps(managed: Any, method: str, path: str, **body: Any) -> ApiResponse:
    at = f"/management/v1/projects/p-owner-{managed.tag}/apps{path}"
    return await call_as(managed, f"portico.management.v1.AppService.{method}", body, path=at)


async def test_logo_and_links_of_an_application_reach_authz(managed: Any) -> None:
    """Links given when adding an application are readable and sent to authz; an update without them removes them."""
    await managed.furnish("owner")
    added = await on_apps(managed, "AddOIDCApp", "/oidc", name="shop", **CODE, **LINKS)
    id, client_id = added.body["appId"], added.body["clientId"]
    config = (await on_apps(managed, "GetAppByID", f"/{id}")).body["app"]["oidcConfig"]
    client = await managed.users.client(client_id)
    await on_apps(managed, "UpdateOIDCAppConfig", f"/{id}/oidc_config", **CODE)
    after = await managed.users.client(client_id)

    assert {name: config[name] for name in LINKS} == LINKS
    assert (client.logo_uri, client.policy_uri, client.tos_uri) == tuple(LINKS.values())
    assert (after.logo_uri, after.policy_uri, after.tos_uri) == ("", "", "")


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        (None, PrivateLabeling.UNSPECIFIED),
        ("PRIVATE_LABELING_SETTING_UNSPECIFIED", PrivateLabeling.UNSPECIFIED),
        (ENFORCE, PrivateLabeling.PROJECT),
        (BY_USER, PrivateLabeling.USER),
    ],
)
async def test_labeling_of_a_project_reaches_authz(
    managed: Any, setting: str | None, expected: PrivateLabeling
) -> None:
    """The private labeling of a project is readable and sent to authz with every client of the project."""
    await managed.furnish("owner")
    path = f"/management/v1/projects/p-owner-{managed.tag}"
    named = {} if setting is None else {"privateLabelingSetting": setting}
    of = "portico.management.v1.ProjectService"
    before = await call_as(
        managed, f"{of}.UpdateProject", {"name": "web", "privateLabelingSetting": BY_USER}, path=path
    )
    updated = await call_as(managed, f"{of}.UpdateProject", {"name": "shop", **named}, path=path)
    project = (await call_as(managed, f"{of}.GetProjectByID", {}, path=path)).body["project"]
    client_id = (await on_apps(managed, "AddOIDCApp", "/oidc", name="shop", **CODE)).body["clientId"]

    assert (before.code, updated.code) == (0, 0)
    assert project.get("privateLabelingSetting", "PRIVATE_LABELING_SETTING_UNSPECIFIED") == (
        setting or "PRIVATE_LABELING_SETTING_UNSPECIFIED"
    )
    assert (await managed.users.client(client_id)).private_labeling is expected


async def test_unknown_labeling_is_refused(managed: Any) -> None:
    """An unknown value of private labeling is refused and changes nothing."""
    await managed.furnish("owner")
    path = f"/management/v1/projects/p-owner-{managed.tag}"
    body = {"name": "shop", "privateLabelingSetting": 9}
    refused = await call_as(managed, "portico.management.v1.ProjectService.UpdateProject", body, path=path)

    assert (refused.code, refused.fields) == (3, ["privateLabelingSetting"])


async def test_branding_is_inherited_policy_by_policy(managed: Any) -> None:
    """An organization with its own links inherits the instance's branding until it has its own."""
    policies = "portico.management.v1.PolicyService"
    iam = "portico.admin.v1.PolicyService"
    own, instances = {"tosLink": "https://own.example/"}, {"helpLink": "https://iam.example/"}
    await call_as(managed, f"{iam}.UpdateLabelPolicy", {"disableWatermark": True}, by="iam")
    await call_as(managed, f"{iam}.UpdatePrivacyPolicy", instances, by="iam")
    inherited = await _branding(managed)
    await call_as(managed, f"{policies}.AddCustomPrivacyPolicy", own, by="owner")
    mixed = await _branding(managed)
    await call_as(managed, f"{policies}.AddCustomLabelPolicy", {"hideLoginNameSuffix": True}, by="owner")

    assert inherited == Branding(help_link="https://iam.example/", hide_watermark=True)
    assert mixed == Branding(tos_link="https://own.example/", hide_watermark=True)
    assert await _branding(managed) == Branding(tos_link="https://own.example/", hide_login_name_suffix=True)


async def _branding(managed: Any) -> Branding:
    policy = await managed.users.call(GET_LOGIN_POLICY, GetLoginPolicy(org_id=managed.org_id))
    assert policy.branding is not None
    found: Branding = policy.branding
    return found
