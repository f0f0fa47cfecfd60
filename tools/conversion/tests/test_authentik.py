from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import Result
from portico_contracts.apply import Organization

from .test_documents import apps_of, convert, document_in

BLUEPRINT = """\
version: 1
metadata: {name: authentik Export}
context:
  hub: !Env [HUB_CLIENT_ID, null]
  job: job-client
entries:
- model: authentik_core.group
  identifiers: {pk: 0b1c, name: editors}
  attrs: {name: editors, is_superuser: false}
- model: authentik_providers_oauth2.oauth2provider
  id: wiki-provider
  identifiers: {pk: 7}
  attrs:
    name: Provider for Wiki
    client_id: wiki
    client_secret: the-secret-of-the-wiki-at-authentik-0123456789
    client_type: confidential
    sub_mode: hashed_user_id
    authorization_flow: !Find [authentik_flows.flow, [slug, default]]
    redirect_uris:
    - {matching_mode: strict, url: "https://wiki.example/cb", redirect_uri_type: authorization}
    - {matching_mode: strict, url: "https://wiki.example/bye", redirect_uri_type: logout}
    - {matching_mode: regex, url: "https://.*\\\\.wiki.example/cb"}
- model: authentik_providers_oauth2.oauth2provider
  identifiers: {name: Old}
  attrs: {client_id: !Context job, client_type: public, redirect_uris: "https://old.example/cb\\nhttps://old.example/cb2"}
- model: authentik_providers_oauth2.oauth2provider
  identifiers: {name: Hub}
  attrs: {client_id: !Context hub}
- model: authentik_core.application
  identifiers: {slug: wiki}
  attrs: {name: Wiki, provider: !KeyOf wiki-provider}
- model: authentik_core.user
  identifiers: {username: ada}
  attrs: {name: Ada Byron, email: ada@acme.example, is_active: true, groups: [0b1c]}
- model: authentik_sources_oauth.oauthsource
  identifiers: {slug: google}
  attrs: {name: Google, provider_type: google, consumer_key: g, consumer_secret: g-secret-0123456789}
- model: authentik_policies_password.passwordpolicy
  attrs: {length_min: 12, amount_digits: 1}
- model: authentik_flows.flow
  identifiers: {slug: own-flow}
- model: authentik_providers_oauth2.scopemapping
  identifiers: {name: Departments}
  attrs: {scope_name: departments, expression: "return {}"}
"""


def test_authentik_blueprint_becomes_a_document(tmp_path: Path) -> None:
    """Providers keep id and secret, groups stay groups in the claim `groups`, and the rest is named."""
    file, output, grants = tmp_path / "export.yaml", tmp_path / "portico.yaml", tmp_path / "grants.yaml"
    file.write_text(BLUEPRINT)
    result = convert(output, file, "--organization", "acme", source="authentik")
    convert(grants, file, "--organization", "acme", "--grants", source="authentik")
    [organization] = document_in(output).organizations
    wiki, old = apps_of(organization).values()
    [ada] = document_in(grants).organizations[0].humans or ()

    assert result.exit_code == 0
    assert (wiki.name, wiki.client_secret) == ("Wiki", "the-secret-of-the-wiki-at-authentik-0123456789")
    assert (wiki.redirect_uris, wiki.post_logout_redirect_uris) == (
        ("https://wiki.example/cb",),
        ("https://wiki.example/bye",),
    )
    assert (wiki.groups_claim, [group.name for group in organization.groups or ()]) == ("groups", ["editors"])
    assert (old.client_id, old.redirect_uris) == ("job-client", ("https://old.example/cb", "https://old.example/cb2"))
    assert ada.groups == ("editors",)
    assert [one.id for one in organization.oidc_idps or ()] == ["acme-google"]
    assert organization.password_policy
    assert organization.password_policy.min_length == 12
    for told in (
        "export.yaml:10: client wiki: not converted: a redirect URI that is a regular expression",
        "export.yaml:4: provider Hub: not converted: a placeholder instead of a value: set it with --env, or replace it in the file (client_id: !Env HUB_CLIENT_ID)",
        "provider Hub: skipped: an application without a client id in the file",
        "scope mapping Departments: not converted: a scope mapping",
        "1 of authentik_flows.flow",
        "client wiki: changed: sub: users have new ids here",
    ):
        assert told in result.stderr


POLICIES = """\
- model: authentik_policies_geoip.geoippolicy
  identifiers: {name: Countries}
  attrs: {name: Countries, countries: [DE, FR], asns: [64500], check_impossible_travel: true}
- model: authentik_policies_reputation.reputationpolicy
  attrs: {name: Attempts, check_ip: true}
- model: authentik_policies_expression.expressionpolicy
  attrs: {name: Office, expression: "return ak_client_ip in ip_network('10.0.0.0/8')"}
- model: authentik_policies_expression.expressionpolicy
  attrs: {name: Other, expression: "return True"}
"""


def test_policies_about_places_are_named_with_their_counterpart(tmp_path: Path) -> None:
    """Where they apply depends on flows, which are not converted; what they compare is in the report."""
    result, _ = authentik(tmp_path, POLICIES)

    for told in (
        "policy Countries: not converted: a GeoIP policy: add rules by country (signInFrom), with a database of countries (DE, FR, AS64500, impossible travel)",
        "policy Attempts: not converted: a reputation policy: repeated wrong passwords are slowed down without a setting",
        "policy Office: not converted: an expression that reads the address or country of the user: add rules by network (signInFrom)",
        "1 of authentik_policies_expression.expressionpolicy",
    ):
        assert told in result.stderr


def authentik(folder: Path, entries: str) -> tuple[Result, Organization]:
    file, output = folder / "export.yaml", folder / "portico.yaml"
    file.write_text(BLUEPRINT + entries)
    result = convert(output, file, source="authentik")
    return result, document_in(output).organizations[0]


PROVIDER = """\
- model: authentik_providers_oauth2.oauth2provider
  identifiers: {pk: 8}
  attrs: {name: Shop, client_id: shop, client_type: public, access_token_validity: minutes=5, %s}
"""


@pytest.mark.parametrize(
    ("attrs", "uri", "told"),
    [
        ("logout_uri: 'https://s.example/out', logout_method: backchannel", "https://s.example/out", ""),
        ("backchannel_logout_uri: 'https://s.example/out'", "https://s.example/out", ""),
        ("logout_uri: 'https://s.example/out', logout_method: frontchannel", "",
         "client shop: not converted: front-channel logout: register a back-channel logout URI (https://s.example/out)"),
        ("jwt_federation_sources: [7]", "", "client shop: not converted: an unsupported member (jwt_federation_sources)"),
    ],
)  # fmt: skip
def test_logout_and_other_settings_of_an_authentik_provider(tmp_path: Path, attrs: str, uri: str, told: str) -> None:
    """A back-channel logout URI is retained; a front-channel one and other settings have lines."""
    result, organization = authentik(tmp_path, PROVIDER % attrs)

    assert apps_of(organization)["shop"].back_channel_logout_uri == uri
    assert told in result.stderr
    assert "1 x note: timestamps and internal fields of the source: access_token_validity" in result.stderr


@pytest.mark.parametrize(
    ("attrs", "told"),
    [
        ("parent: 0b1c", "group staff: changed: a group in another group: its members are not in the other one (all)"),
        ("parents: [0b1c, 0b1e]", "  2 x changed: a group in another group"),
        ("is_superuser: true", "group staff: not converted: a group of administrators of authentik"),
        ("attributes: {floor: 3}", "group staff: not converted: attributes of a group (floor)"),
    ],
)
def test_loss_of_an_authentik_group_is_named(tmp_path: Path, attrs: str, told: str) -> None:
    group = f"- model: authentik_core.group\n  identifiers: {{pk: 0b1d}}\n  attrs: {{name: staff, {attrs}}}\n"
    group += "- model: authentik_core.group\n  identifiers: {pk: 0b1c}\n  attrs: {name: all}\n"

    assert told in authentik(tmp_path, group)[0].stderr
