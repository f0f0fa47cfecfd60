"""Identity providers by preset in the management API (MG-01, MG-18, IP-06)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from portico_fakes.management_api import ApiResponse, call_as
from portico_users.identity_providers.secrets import SecretSealer
from portico_users_rows.permission_rows.idps import PRESETS

pytestmark = pytest.mark.servers

ORG, IAM = "portico.management.v1.IDPService", "portico.admin.v1.IDPService"
BASES = {ORG: "/management/v1/idps", IAM: "/admin/v1/idps"}
CALLERS = pytest.mark.parametrize(("of", "by"), [(ORG, "owner"), (IAM, "iam")])
WORDS = pytest.mark.parametrize("word", list(PRESETS))
SECRETS = ("clientSecret", "privateKey")
TENANT = "8bc1f0ea-7d0f-4b4e-9a35-3a1a0d6bb3c2"

SHOWN: Final = {
    "GenericOAuth": ("PROVIDER_TYPE_OAUTH", "oauth"),
    "Google": ("PROVIDER_TYPE_GOOGLE", "google"),
    "AzureAD": ("PROVIDER_TYPE_AZURE_AD", "azureAd"),
    "GitHub": ("PROVIDER_TYPE_GITHUB", "github"),
    "GitHubEnterpriseServer": ("PROVIDER_TYPE_GITHUB_ES", "githubEs"),
    "GitLab": ("PROVIDER_TYPE_GITLAB", "gitlab"),
    "GitLabSelfHosted": ("PROVIDER_TYPE_GITLAB_SELF_HOSTED", "gitlabSelfHosted"),
    "Apple": ("PROVIDER_TYPE_APPLE", "apple"),
}


async def _call(managed: Any, name: str, body: Any, path: str = "", *, by: str = "owner") -> ApiResponse:
    of, _, method = name.rpartition(".")
    return await call_as(managed, f"{of}.{method}", body, by=by, path=f"{BASES[of]}/{path}" if path else "")


async def _add(managed: Any, word: str, *, of: str = ORG, by: str = "owner", **members: Any) -> str:
    body = {"name": f"{word} {managed.tag}", **PRESETS[word][1], **members}
    response = await _call(managed, f"{of}.Add{word}Provider", body, by=by)
    assert response.code == 0, response.body
    return str(response.body["id"])


async def _update(managed: Any, word: str, id: str, *, of: str = ORG, by: str = "owner", **members: Any) -> ApiResponse:
    part, known = PRESETS[word]
    kept = {name: value for name, value in known.items() if name not in SECRETS}
    body = {"name": f"new {word} {managed.tag}", **kept, **members}
    return await _call(managed, f"{of}.Update{word}Provider", body, f"{part}/{id}", by=by)


async def _config(managed: Any, id: str, *, of: str = ORG, by: str = "owner") -> tuple[str, dict[str, Any]]:
    response = await _call(managed, f"{of}.GetProviderByID", {}, f"templates/{id}", by=by)
    assert response.code == 0, response.body
    return response.body["idp"]["type"], response.body["idp"]["config"]


async def _secret(managed: Any, id: str, bound_to: str = "") -> str:
    [row] = await managed.users.rows("idps", _id=id)
    config = row["config"]
    issuer = bound_to or config.get("issuer") or config["tokenEndpoint"]
    return str(managed.users.service.find(SecretSealer).unseal(row["sealedSecret"], id, issuer))


@CALLERS
@WORDS
async def test_added_provider_is_read_as_its_preset(managed: Any, word: str, of: str, by: str) -> None:
    """Type and configuration are those of the preset with the sent values, and never a secret (MG-18)."""
    kind, config = await _config(managed, await _add(managed, word, of=of, by=by), of=of, by=by)
    expected, member = SHOWN[word]
    sent = {name: value for name, value in PRESETS[word][1].items() if name not in SECRETS}

    assert kind == expected
    assert config["options"] == {"isLinkingAllowed": True, "isCreationAllowed": True}
    assert {name: config[member][name] for name in sent} == sent
    assert not {*SECRETS, "sealedSecret"} & set(config[member])


@CALLERS
@WORDS
async def test_update_keeps_secret_and_options(managed: Any, word: str, of: str, by: str) -> None:
    """Absent options and an absent secret stay; an update without a change gives code 9."""
    id = await _add(managed, word, of=of, by=by, providerOptions={"isAutoUpdate": True})
    before = await _secret(managed, id)
    first = await _update(managed, word, id, of=of, by=by)
    again = await _update(managed, word, id, of=of, by=by)
    _, config = await _config(managed, id, of=of, by=by)

    assert (first.code, again.code, again.error_code) == (0, 9, "USER-702")
    assert config["options"] == {"isAutoUpdate": True}
    assert await _secret(managed, id) == before


@WORDS
async def test_provider_of_another_preset_is_refused(managed: Any, word: str) -> None:
    """Methods of other presets and of generic providers give USER-607 and change nothing (MG-18)."""
    other = "GitLab" if word != "GitLab" else "Google"
    id = await _add(managed, other)
    by_form = await _update(managed, word, id)
    generic = {"name": f"x {managed.tag}", "issuer": "https://gitlab.com", "clientId": "portico"}
    by_generic = await _call(managed, f"{ORG}.UpdateGenericOIDCProvider", generic, f"generic_oidc/{id}")
    config = {"issuer": "https://gitlab.com", "clientId": "portico"}
    by_older = await _call(managed, f"{ORG}.UpdateOrgIDPOIDCConfig", config, f"{id}/oidc_config")

    assert {one.error_code for one in (by_form, by_generic, by_older)} == {"USER-607"}
    assert (await _config(managed, id))[0] == SHOWN[other][0]


@WORDS
async def test_new_provider_requires_a_secret(managed: Any, word: str) -> None:
    """The validation rules of the message require a secret."""
    members = {name: value for name, value in PRESETS[word][1].items() if name not in SECRETS}
    response = await _call(managed, f"{ORG}.Add{word}Provider", {"name": f"{word} {managed.tag}", **members})

    assert (response.code, response.fields) == (3, [next(name for name in SECRETS if name in PRESETS[word][1])])


@pytest.mark.parametrize(
    ("word", "members", "error_code", "place"),
    [
        ("Apple", {"privateKey": "bm8gcGVt"}, "USER-632", "privateKey"),
        ("Apple", {"teamId": "short"}, "USER-627", "teamId"),
        ("AzureAD", {"allowedTenants": ["contoso"]}, "USER-627", "allowedTenants[0]"),
        ("AzureAD", {"tenant": {"tenantId": "https://10.0.0.1"}}, "USER-602", "tenant.tenantId"),
        ("Google", {"hostedDomains": ["Not a domain"]}, "USER-627", "hostedDomains[0]"),
        ("GitLabSelfHosted", {"issuer": "https://10.0.0.1"}, "USER-602", "issuer"),
        ("GitHubEnterpriseServer", {"tokenEndpoint": "https://127.0.0.1/token"}, "USER-602", "tokenEndpoint"),
        ("GitHubEnterpriseServer", {"userEndpoint": "http://github.example/user"}, "USER-602", "userEndpoint"),
        ("GenericOAuth", {"userEndpoint": "http://oauth.example/user"}, "USER-602", "userEndpoint"),
        ("GenericOAuth", {"authorizationEndpoint": "javascript:alert(1)"}, "USER-601", "authorizationEndpoint"),
        ("GenericOAuth", {"idAttribute": "a..b"}, "USER-627", "idAttribute"),
        ("GitHub", {"scopes": ["a b"]}, "USER-605", "scopes[0]"),
    ],
)
async def test_invalid_value_is_refused(
    managed: Any, word: str, members: dict[str, Any], error_code: str, place: str
) -> None:
    """The validation is that of the record, equal for all presets; the error names the message's field (IP-03, IP-08)."""
    changed = {**PRESETS[word][1], **members}
    added = await _call(managed, f"{ORG}.Add{word}Provider", {"name": f"{word} {managed.tag}", **changed})
    updated = await _update(managed, word, await _add(managed, word), **changed)

    assert (added.code, added.error_code, added.fields) == (3, error_code, [place])
    assert (updated.code, updated.error_code, updated.fields) == (3, error_code, [place])


@pytest.mark.parametrize(
    ("tenant", "issuer"),
    [
        ({}, "https://login.microsoftonline.com/common/v2.0"),
        (
            {"tenant": {"tenantType": "AZURE_AD_TENANT_TYPE_ORGANISATIONS"}},
            "https://login.microsoftonline.com/organizations/v2.0",
        ),
        (
            {"tenant": {"tenantType": "AZURE_AD_TENANT_TYPE_CONSUMERS"}},
            "https://login.microsoftonline.com/consumers/v2.0",
        ),
        ({"tenant": {"tenantId": TENANT}}, f"https://login.microsoftonline.com/{TENANT}/v2.0"),
        (
            {"tenant": {"tenantId": f"https://login.microsoftonline.us/{TENANT}/v2.0"}},
            f"https://login.microsoftonline.us/{TENANT}/v2.0",
        ),
    ],
)
async def test_tenant_determines_the_issuer(managed: Any, tenant: dict[str, Any], issuer: str) -> None:
    """Each kind of tenant has its own issuer, and is read back as sent."""
    id = await _add(managed, "AzureAD", **tenant)
    [row] = await managed.users.rows("idps", _id=id)
    _, config = await _config(managed, id)

    assert row["config"]["issuer"] == issuer
    assert config["azureAd"]["tenant"] == tenant.get("tenant", {"tenantType": "AZURE_AD_TENANT_TYPE_COMMON"})


@pytest.mark.parametrize(("word", "field"), [("Google", "trustedEmail"), ("AzureAD", "emailVerified")])
async def test_trusted_email_is_off_by_default(managed: Any, word: str, field: str) -> None:
    """An update without the field keeps it, for messages that have it (MG-18)."""
    id = await _add(managed, word)
    stated = []
    for members in ({}, {field: True}, {"scopes": ["email"]}, {field: False}):
        await _update(managed, word, id, **members)
        [row] = await managed.users.rows("idps", _id=id)
        stated.append(row["config"].get("trustedEmail", False))

    assert stated == [False, True, word == "Google", False]


async def test_trusted_email_ends_with_another_endpoint(managed: Any) -> None:
    """Another user endpoint could assert any address: it is trusted only if the update states it again (MG-18)."""
    id = await _add(managed, "GitHubEnterpriseServer", trustedEmail=True)
    stated = []
    for members in ({"scopes": ["user"]}, {"userEndpoint": "https://other.example/user"}):
        assert (await _update(managed, "GitHubEnterpriseServer", id, **members)).code == 0
        [row] = await managed.users.rows("idps", _id=id)
        stated.append((row["config"].get("trustedEmail", False), row["config"]["emailsEndpoint"]))

    assert stated == [(True, "https://oauth.example/user/emails"), (False, "https://other.example/user/emails")]


async def test_other_token_endpoint_requires_the_secret(managed: Any) -> None:
    """The stored secret is sent nowhere else: USER-608 has the field of the secret (MG-18)."""
    id = await _add(managed, "GenericOAuth")
    response = await _update(managed, "GenericOAuth", id, tokenEndpoint="https://other.example/token")

    assert (response.error_code, response.fields) == ("USER-608", ["clientSecret"])


async def test_update_keeps_claims_that_its_message_does_not_have(managed: Any) -> None:
    """Only documents of apply set the members with picture and language; the others are replaced."""
    id = await _add(managed, "GenericOAuth", emailAttribute="mail")
    document = {"config.claims.picture": "avatar", "config.claims.language": "settings.lang"}
    await managed.users.parts.mongo.database["idps"].update_one({"_id": id}, {"$set": document})
    changed = await _update(managed, "GenericOAuth", id, userNameAttribute="login")
    [row] = await managed.users.rows("idps", _id=id)

    assert changed.code == 0
    assert row["config"]["claims"] == {
        "subject": "id",
        "userName": "login",
        "picture": "avatar",
        "language": "settings.lang",
    }


@pytest.mark.parametrize(("word", "derived"), [("GenericOAuth", ""), ("GitHubEnterpriseServer", "/emails")])
async def test_emails_are_not_read_at_another_provider(managed: Any, word: str, derived: str) -> None:
    """Their address, which only documents of apply set, stays with the user endpoint: it gets the access token."""
    id = await _add(managed, word)
    document = {"config.emailsEndpoint": "https://oauth.example/addresses"}
    await managed.users.parts.mongo.database["idps"].update_one({"_id": id}, {"$set": document})
    stored = []
    for members in ({}, {"userEndpoint": "https://other.example/user"}):
        assert (await _update(managed, word, id, **members)).code == 0
        [row] = await managed.users.rows("idps", _id=id)
        stored.append(row["config"]["emailsEndpoint"])

    assert stored == ["https://oauth.example/addresses", derived and f"https://other.example/user{derived}"]


async def test_generic_provider_migrates_to_a_preset(managed: Any) -> None:
    """The provider gets the configuration in the message; it can be migrated only once (MG-18)."""
    generic = {
        "name": f"g {managed.tag}",
        "issuer": "https://accounts.google.com",
        "clientId": "a",
        "clientSecret": "b",
    }
    added = await _call(managed, f"{ORG}.AddGenericOIDCProvider", generic)
    id = added.body["id"]
    google = {"google": {"name": f"google {managed.tag}", "clientId": "c", "clientSecret": "d"}}
    first = await _call(managed, f"{ORG}.MigrateGenericOIDCProvider", google, f"generic_oidc/{id}/_migrate")
    again = await _call(managed, f"{ORG}.MigrateGenericOIDCProvider", google, f"generic_oidc/{id}/_migrate")
    kind, config = await _config(managed, id)

    assert (first.code, again.error_code) == (0, "USER-607")
    assert (kind, config["google"]["clientId"]) == ("PROVIDER_TYPE_GOOGLE", "c")
    assert await _secret(managed, id) == "d"


@pytest.mark.parametrize(
    ("template", "members", "place"),
    [
        ("google", {"hostedDomains": ["Not a domain"]}, "google.hostedDomains[0]"),
        ("google", {"scopes": ["a b"]}, "google.scopes[0]"),
        ("azure", {"allowedTenants": ["contoso"]}, "azure.allowedTenants[0]"),
        ("azure", {"tenant": {"tenantId": "https://10.0.0.1"}}, "azure.tenant.tenantId"),
    ],
)
async def test_invalid_value_of_a_migration_is_named_in_its_template(
    managed: Any, template: str, members: dict[str, Any], place: str
) -> None:
    """Both templates have equal names; the record has other ones."""
    client = {"name": f"g {managed.tag}", "clientId": "a", "clientSecret": "b"}
    added = await _call(managed, f"{ORG}.AddGenericOIDCProvider", {**client, "issuer": "https://oidc.example"})
    body, path = {template: {**client, **members}}, f"generic_oidc/{added.body['id']}/_migrate"
    refused = await _call(managed, f"{ORG}.MigrateGenericOIDCProvider", body, path)

    assert (refused.code, refused.fields) == (3, [place])
    assert (await _config(managed, added.body["id"]))[0] == "PROVIDER_TYPE_OIDC"


NAMED: Final = {
    "okta": ("GenericOIDC", {"issuer": "dev-11.okta.com"}, "oidc", "https://dev-11.okta.com"),
    "slack": ("GenericOIDC", {}, "oidc", "https://slack.com"),
    "discord": ("GenericOAuth", {}, "oauth", "https://discord.com/api/users/@me"),
}


@pytest.mark.parametrize("preset", NAMED)
async def test_generic_methods_add_a_preset_by_its_name(managed: Any, preset: str) -> None:
    """The preset fills what is omitted, is shown, and stays when the provider is changed."""
    word, members, member, address = NAMED[preset]
    client = {"name": f"{preset} {managed.tag}", "clientId": "a", "clientSecret": "b"}
    added = await _call(managed, f"{ORG}.Add{word}Provider", {**client, "preset": preset, **members})
    kind, config = await _config(managed, added.body["id"])
    changed = {**config[member], "name": f"new {preset} {managed.tag}"}
    for read_only in ("preset", "hasClientSecret"):
        changed.pop(read_only, None)
    part = "generic_oidc" if member == "oidc" else "oauth"
    response = await _call(managed, f"{ORG}.Update{word}Provider", changed, f"{part}/{added.body['id']}")
    _, after = await _config(managed, added.body["id"])

    assert (kind, response.code) == (f"PROVIDER_TYPE_{member.upper()}", 0)
    assert config[member]["preset"] == after[member]["preset"] == preset
    assert config[member].get("issuer", config[member].get("userEndpoint")) == address
    assert after == config


@pytest.mark.parametrize(
    ("word", "preset"),
    [("GenericOIDC", "google"), ("GenericOIDC", "discord"), ("GenericOAuth", "okta"), ("GenericOIDC", "?")],
)
async def test_preset_of_another_method_is_refused(managed: Any, word: str, preset: str) -> None:
    """Google has its own methods, and Discord has no OpenID Connect."""
    client = {"name": f"{preset} {managed.tag}", "clientId": "a", "clientSecret": "b"}
    refused = await _call(managed, f"{ORG}.Add{word}Provider", {**client, "preset": preset})

    assert (refused.error_code, refused.fields) == ("USER-624", ["preset"])
